// Checks an AsyncAPI document with AsyncAPI's own parser and its rules.
// Usage: node check.js FILE. Prints every finding, and exits with 1 where there is a warning or error.
import { readFile } from "node:fs/promises";
import process from "node:process";

import { DiagnosticSeverity, Parser } from "@asyncapi/parser";

const [file] = process.argv.slice(2);
const diagnostics = await new Parser().validate(await readFile(file, "utf-8"));
const findings = diagnostics.filter(
  ({ severity }) => severity === DiagnosticSeverity.Error || severity === DiagnosticSeverity.Warning,
);
for (const { code, message, path, range } of findings) {
  console.error(`${file}:${range.start.line + 1} ${path.join(".")}: ${message} (${code})`);
}
process.exit(findings.length > 0 ? 1 : 0);

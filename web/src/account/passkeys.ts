// Passkeys: what the server sends and takes, in the forms of the browser's own interface.

import type {
  NewPasskey,
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyProblem,
  PasskeyRequest,
} from "../protocol/forms";
import { ApiError } from "../protocol/api";

const NUMBERS_ONLY = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/** Whether this browser makes passkeys for this address: it needs TLS, or localhost, and a name. */
export function passkeysPossible(): boolean {
  return (
    window.isSecureContext &&
    typeof PublicKeyCredential !== "undefined" &&
    !NUMBERS_ONLY.test(location.hostname)
  );
}

/** Bytes in base64url without padding. */
export function encoded(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes in base64url. */
export function decoded(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
}

function descriptors(ids: string[]): PublicKeyCredentialDescriptor[] {
  return ids.map((id) => ({ type: "public-key", id: decoded(id) }));
}

/** Have a device make a passkey, which its owner confirms there. */
export async function makePasskey(asked: PasskeyCreation): Promise<Omit<NewPasskey, "name">> {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: decoded(asked.challenge),
      rp: { id: asked.rp_id, name: asked.rp_name },
      user: {
        id: decoded(asked.user_id),
        name: asked.user_name,
        displayName: asked.user_name,
      },
      pubKeyCredParams: asked.algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: descriptors(asked.passkeys),
      authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
      attestation: "none",
      timeout: asked.timeout_ms,
    },
  });
  const key = made as PublicKeyCredential;
  const response = key.response as AuthenticatorAttestationResponse;
  return {
    id: encoded(key.rawId),
    client_data: encoded(response.clientDataJSON),
    attestation: encoded(response.attestationObject),
  };
}

/** Have a passkey sign a challenge, which its owner confirms at the device. */
export async function signChallenge(asked: PasskeyRequest): Promise<PasskeyAssertion> {
  const signed = await navigator.credentials.get({
    publicKey: {
      challenge: decoded(asked.challenge),
      rpId: asked.rp_id,
      allowCredentials: descriptors(asked.passkeys),
      userVerification: "required",
      timeout: asked.timeout_ms,
    },
  });
  const key = signed as PublicKeyCredential;
  const response = key.response as AuthenticatorAssertionResponse;
  return {
    id: encoded(key.rawId),
    client_data: encoded(response.clientDataJSON),
    authenticator_data: encoded(response.authenticatorData),
    signature: encoded(response.signature),
  };
}

/** What a refused sign-in says about the passkey that it needs, null for another refusal. */
export function neededPasskey(error: unknown): PasskeyProblem | null {
  const needed = error instanceof ApiError && error.code === "passkey_needed";
  return needed ? (error.problem as PasskeyProblem) : null;
}

import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import "./ui/styles/staff.css";
import { mount } from "svelte";
import App from "./app/App.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the terminal");

export default mount(App, { target });

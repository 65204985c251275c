import { mount } from "svelte";
import "./theme.css";
import { takeToken } from "./api";
import App from "./App.svelte";
import { setTheme } from "./state";

setTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme());
if (takeToken()) mount(App, { target: document.getElementById("studio")! });
else location.replace(`?token=${location.hash}`); // where the server says what is missing

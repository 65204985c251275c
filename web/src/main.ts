import { mount } from "svelte";
import "./theme.css";
import App from "./App.svelte";
import { setTheme } from "./state.svelte";

setTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme());
mount(App, { target: document.getElementById("studio")! });

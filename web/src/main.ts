import { mount } from "svelte";
import "./theme.css";
import { isAlone } from "./alone";
import { takeToken } from "./api";
import App from "./App.svelte";
import { setTheme } from "./state";

setTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme());
if (isAlone) void navigator.serviceWorker?.register("offline.js").catch(() => {}); // for use without a network
if (takeToken()) mount(App, { target: document.getElementById("studio")! });
else location.replace(`?token=${location.hash}`); // where the server says what is missing

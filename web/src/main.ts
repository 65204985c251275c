import { mount } from "svelte";
import "./theme.css";
import { isAlone, started } from "./alone";
import { takeToken } from "./api";
import App from "./App.svelte";
import { keepSite } from "./offline";
import { notify, setTheme } from "./state";
import { words } from "./words";

setTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme());
const { renewed, reload } = words.connection;
const came = () => notify(renewed, "warn", { name: reload, act: () => location.reload() });
if (isAlone) void keepSite(started, came).catch(() => {});
if (takeToken()) mount(App, { target: document.getElementById("studio")! });
else location.replace(`?token=${location.hash}`); // where the server says what is missing

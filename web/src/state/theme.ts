// Light and dark.

import { DARK, LIGHT } from "../colours";
import { studio } from "./studio.svelte";

/** As the system has it, until the user says otherwise. */
export function setTheme(dark?: boolean): void {
  if (dark !== undefined) localStorage.setItem("theme", dark ? "dark" : "light");
  const chosen = localStorage.getItem("theme");
  studio.dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const { style } = document.documentElement;
  style.colorScheme = studio.dark ? "dark" : "light";
  for (const [name, value] of Object.entries(studio.dark ? DARK : LIGHT)) style.setProperty(`--${name}`, value);
}

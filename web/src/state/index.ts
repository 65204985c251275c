// The state of the page, and what changes it.

export * from "./address";
export * from "./asked.svelte";
export * from "./changes";
export * from "./handing";
export * from "./keeping";
export * from "./notices";
export * from "./opening";
export * from "./remembered";
export * from "./saving";
export * from "./studio.svelte";
export * from "./theme";

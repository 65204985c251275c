// Files are made beside the work: a dialog may close while one is being made, and it still arrives.

import * as api from "../api";
import type { ExportRequest } from "../messages";
import { complain, notify } from "../state.svelte";
import { words } from "../words";

class Downloads {
  /** What is being made, by what it is called. */
  making = $state.raw<readonly string[]>([]);
}

export const downloads = new Downloads();

/** Make a file and hand it to the browser. */
export async function download(name: string, request: ExportRequest): Promise<void> {
  if (downloads.making.includes(name)) return;
  downloads.making = [...downloads.making, name];
  try {
    const { file, lost } = await api.exported(request);
    const address = URL.createObjectURL(file);
    const link = Object.assign(document.createElement("a"), { href: address, download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    notify(words.export.made(file.name));
    if (lost) notify(words.export.lost(file.name, lost), "warn");
  } catch (error) {
    complain(error);
  } finally {
    downloads.making = downloads.making.filter((other) => other !== name);
  }
}

// Sentences and file names, as people read and write them.

import { PUZZLE_SUFFIXES } from "./messages";

/** As a sentence: a capital first, a full stop last, unless it ends otherwise already. */
export function sentence(text: string, stop = "."): string {
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…)]$/.test(said) || !said ? said : said + stop;
}

/** What went wrong, in words. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The file at a place, without its folder: "soma.kumitate.json". */
export const baseName = (place: string) => place.slice(place.lastIndexOf("/") + 1);

const endingOf = (name: string) => PUZZLE_SUFFIXES.find((suffix) => name.toLowerCase().endsWith(suffix)) ?? "";

/** What a file is called, without the ending that says what kind it is. */
export const withoutEnding = (name: string) => name.slice(0, name.length - endingOf(name).length);

/** The file to save under a name that was typed; kumitate's own kind unless it says otherwise. */
export const withEnding = (name: string) => (endingOf(name) ? name : name + PUZZLE_SUFFIXES[0]);

/** A name to offer for saving: where it lies in the folder, or made of the title if its place says nothing. */
export function fileName(place: string, title: string): string {
  const named = place.startsWith("site/") ? "" : place;
  const path = named.startsWith("folder/") ? named.slice("folder/".length) : baseName(named);
  const made = title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return withoutEnding(path || made || "puzzle");
}

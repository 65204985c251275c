// The service worker of a site: it keeps every file when the site is first visited, so that it works offline from then
// on. Built into a file of its own, offline.js; kumitate writes VERSION and FILES before it.
//
// A page has all its files of one version. A new version is kept beside the one in use, and takes over when no page is
// open, or when the only one has just been loaded (../offline.ts); then the old files are forgotten.

import { TAKE_OVER } from "../offline";

declare const VERSION: string;
declare const FILES: readonly string[];

interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
  readonly request: Request;
  readonly data: unknown;
}
interface Scope {
  addEventListener(name: "install" | "activate" | "fetch" | "message", act: (event: Extendable) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(which: object): Promise<readonly { readonly url: string }[]>;
  };
  readonly registration: { readonly scope: string };
}
const scope = self as unknown as Scope;
const mine = `kumitate ${scope.registration.scope} `; // others of this host have theirs
const [TRIES, PAUSE] = [8, 250]; // milliseconds
const kept = `${mine}${VERSION}`;

/** What the page has loaded already is not loaded again, if the server says that it is still the same. */
async function keep(): Promise<void> {
  const cache = await caches.open(kept);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
}

async function forget(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(mine) && name !== kept);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(kept);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

async function pages(): Promise<number> {
  const all = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => url.startsWith(scope.registration.scope)).length;
}

/** A page that was just left may still be counted. */
async function takeOver(): Promise<void> {
  for (let left = TRIES; left && (await pages()) > 1; left--) await new Promise((done) => setTimeout(done, PAUSE));
  if ((await pages()) === 1) await scope.skipWaiting();
}

scope.addEventListener("install", (event) => event.waitUntil(keep()));
scope.addEventListener("activate", (event) => event.waitUntil(forget()));
scope.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
scope.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(takeOver());
});

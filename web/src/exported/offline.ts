// The service worker of a site: it keeps every file when the site is first visited, so that it works offline from then
// on. Built into a file of its own, offline.js; kumitate writes VERSION and FILES before it.
//
// A page has all its files of one version. A new version is kept beside the one in use, and takes over when no page is
// open, or when one has just been loaded (../offline.ts): all that are open are then loaded again.

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
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
}
const scope = self as unknown as Scope;
const mine = `kumitate ${scope.registration.scope} `; // others of this host have theirs
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

scope.addEventListener("install", (event) => event.waitUntil(keep()));
scope.addEventListener("activate", (event) => event.waitUntil(forget()));
scope.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
scope.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(scope.skipWaiting());
});

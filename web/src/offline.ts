// The page's side of a site's service worker (exported/offline.ts), which keeps the site for use without a network.

/** What a page that was just loaded says to a new version that waits. */
export const TAKE_OVER = "take over";

/**
 * Keep the site, and use a version that came since the last visit; `came` is told of one that comes meanwhile. On the
 * first visit, `loaded` comes first: files that the page has loaded by then are not loaded again.
 */
export async function keepSite(loaded = Promise.resolve(), came = () => {}): Promise<void> {
  const { serviceWorker: workers } = navigator as { serviceWorker?: ServiceWorkerContainer }; // of https and localhost
  if (!workers) return;
  // Not that of a site around this one. A page goes on with the files that it began with, or begins anew.
  const isKept = workers.controller?.scriptURL === new URL("offline.js", location.href).href;
  if (isKept) workers.addEventListener("controllerchange", () => location.reload());
  else await loaded;
  const registration = await workers.register("offline.js");
  registration.waiting?.postMessage(TAKE_OVER);
  const watch = () => {
    const next = registration.installing;
    next?.addEventListener("statechange", () => next.state === "installed" && isKept && came());
  };
  watch();
  registration.addEventListener("updatefound", watch);
}

import { deadline } from "../browser/clock.ts";
import { createShellCache, type Shell } from "./shell-cache.ts";

interface LifeEvent {
  waitUntil: (work: Promise<unknown>) => void;
}

interface FetchEvent {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}

// Service worker events, which are missing from the DOM types.
declare function addEventListener(type: "install" | "activate", listener: (event: LifeEvent) => void): void;
declare function addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
/** Filled in by the build. */
declare const SHELL: Shell;

const shellCache = createShellCache({
  shell: SHELL,
  origin: location.origin,
  caches,
  fetch: (request, options) => fetch(request, options),
  deadline,
});

// A new worker waits until the last page of the old one is closed: an open page still loads files of its own build.
addEventListener("install", (event) => event.waitUntil(shellCache.fill()));
addEventListener("activate", (event) => event.waitUntil(shellCache.removeFormer()));
addEventListener("fetch", (event) => {
  const answer = shellCache.answer(event.request);
  if (answer) event.respondWith(answer);
});

import { expect, it } from "vitest";
import { createInstall } from "./install.ts";

function createPlace() {
  const place = new EventTarget();
  const listen = (type: string, listener: (event: Event) => void) => place.addEventListener(type, listener);
  return { place, listen };
}

function createWorker() {
  const found: { state: ServiceWorkerState } = { state: "installing" };
  return Object.assign(new EventTarget(), found);
}

const IDLE = { active: null, waiting: null, installing: null };

it("registers the worker after load, and reports the copy once the worker has stored it", async () => {
  const { place, listen } = createPlace();
  const installing = createWorker();
  const asked: string[] = [];
  const { copy } = createInstall({
    listen,
    isStandalone: false,
    container: {
      register: async (address) => {
        asked.push(address);
        return { ...IDLE, installing };
      },
    },
  });
  expect([asked, copy.value]).toEqual([[], { state: "waiting" }]);
  place.dispatchEvent(new Event("load"));
  await Promise.resolve();
  expect([asked, copy.value]).toEqual([["/sw.js"], { state: "waiting" }]);
  installing.state = "activated";
  installing.dispatchEvent(new Event("statechange"));
  await expect.poll(() => copy.value).toEqual({ state: "kept" });
});

it("reports an incomplete copy when the worker becomes redundant", async () => {
  const { place, listen } = createPlace();
  const installing = createWorker();
  const { copy } = createInstall({
    listen,
    isStandalone: false,
    container: { register: async () => ({ ...IDLE, installing }) },
  });
  place.dispatchEvent(new Event("load"));
  await Promise.resolve();
  installing.state = "redundant";
  installing.dispatchEvent(new Event("statechange"));
  await expect.poll(() => copy.value).toEqual({ state: "incomplete" });
});

it("keeps the browser's reason for the install page when it refuses", async () => {
  const { place, listen } = createPlace();
  const register = () => Promise.reject(new Error("an SSL certificate error"));
  const { copy } = createInstall({ listen, isStandalone: false, container: { register } });
  place.dispatchEvent(new Event("load"));
  await expect.poll(() => copy.value).toEqual({ state: "refused", why: "an SSL certificate error" });
});

it("reports that copies are unsupported without service workers", () => {
  const { listen } = createPlace();
  expect(createInstall({ listen, isStandalone: false, container: undefined }).copy.value).toEqual({
    state: "unsupported",
  });
});

it("keeps the browser's install prompt until the owner uses it, once", async () => {
  const { place, listen } = createPlace();
  const { offer, isInstalled } = createInstall({ listen, isStandalone: false, container: undefined });
  let prompts = 0;
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
    prompt: async () => {
      prompts += 1;
    },
  });
  place.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  await offer.value?.();
  expect([prompts, offer.value, isInstalled.value]).toEqual([1, undefined, false]);
  place.dispatchEvent(new Event("appinstalled"));
  expect(isInstalled.value).toBe(true);
});

it("detects that the page runs as an app", () => {
  const { listen } = createPlace();
  expect(createInstall({ listen, isStandalone: true, container: undefined }).isInstalled.value).toBe(true);
});

import { type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** Whether the browser has cached the page. A refusal has no other effect, so only the install page shows it. */
export type OfflineCopy =
  | { state: "waiting" }
  | { state: "kept" }
  /** No service worker without a trusted certificate, or in this browser at all. */
  | { state: "unsupported" }
  | { state: "refused"; why: string }
  /** A part of the page could not be fetched or stored; the browser tries again on the next visit. */
  | { state: "incomplete" };

export interface Install {
  copy: ReadonlySignal<OfflineCopy>;
  /** Asks the browser to install the page; undefined where the browser does not support it. */
  offer: ReadonlySignal<(() => Promise<void>) | undefined>;
  /** The page already runs as an installed app. */
  isInstalled: ReadonlySignal<boolean>;
}

/** The browser's install event. It is not standardized, so the DOM types do not have it. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

type Worker = Pick<ServiceWorker, "addEventListener" | "state">;

interface Registration {
  active: unknown;
  waiting: unknown;
  installing: Worker | null;
}

interface Container {
  register: (address: string) => Promise<Registration>;
}

export interface InstallDeps {
  /** Listens to the window's events. */
  listen: (type: string, listener: (event: Event) => void) => void;
  isStandalone: boolean;
  /** Absent in a browser without service workers, and everywhere without a secure context. */
  container: Container | undefined;
}

export function createInstall({ listen, isStandalone, container }: InstallDeps): Install {
  const copy = signal<OfflineCopy>({ state: container ? "waiting" : "unsupported" });
  const offer = signal<(() => Promise<void>) | undefined>(undefined);
  const isInstalled = signal(isStandalone);

  listen("beforeinstallprompt", (event) => {
    if (!isOffer(event)) return;
    // Suppress the browser's own prompt; the install page has a button.
    event.preventDefault();
    offer.value = async () => {
      // A prompt can be used only once.
      offer.value = undefined;
      await event.prompt();
    };
  });
  listen("appinstalled", () => {
    offer.value = undefined;
    isInstalled.value = true;
  });
  // Register after load, so that caching does not slow down the first visit.
  if (container) listen("load", () => void keepCopy(container).then((kept) => (copy.value = kept)));

  return { copy, offer, isInstalled };
}

async function keepCopy(container: Container): Promise<OfflineCopy> {
  return container.register("/sw.js").then(awaitCopy, (error: unknown) => ({
    state: "refused",
    why: error instanceof Error ? error.message : String(error),
  }));
}

/** A worker becomes active once it has cached the page, and redundant if it could not. */
function awaitCopy({ active, waiting, installing }: Registration): OfflineCopy | Promise<OfflineCopy> {
  if (active || waiting || !installing) return { state: "kept" };
  return new Promise((resolve) => {
    installing.addEventListener("statechange", () => {
      if (installing.state === "activated") resolve({ state: "kept" });
      if (installing.state === "redundant") resolve({ state: "incomplete" });
    });
  });
}

function isOffer(event: Event): event is InstallOffer {
  return "prompt" in event && typeof event.prompt === "function";
}

export const InstallContext = createContext<Install | undefined>(undefined);

export function useInstall(): Install {
  const install = useContext(InstallContext);
  if (!install) throw new Error("rendered outside the app");
  return install;
}

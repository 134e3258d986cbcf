import { type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** Whether the browser keeps a copy of the page. A refusal costs nothing but that, so it is told on the install page only. */
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
  /** Asks the browser to put the page among its apps; undefined where the browser does not offer that. */
  offer: ReadonlySignal<(() => Promise<void>) | undefined>;
  /** The page runs as an app of its own already. */
  isInstalled: ReadonlySignal<boolean>;
}

/** The event of browsers that offer to install a page. It is no standard, so the page's own types do not know it. */
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
    // The browser's own bar would come at a moment of its choosing; the install page has a button.
    event.preventDefault();
    offer.value = async () => {
      // An offer holds once.
      offer.value = undefined;
      await event.prompt();
    };
  });
  listen("appinstalled", () => {
    offer.value = undefined;
    isInstalled.value = true;
  });
  // What makes the page quick next time must not slow it down this time.
  if (container) listen("load", () => void keepCopy(container).then((kept) => (copy.value = kept)));

  return { copy, offer, isInstalled };
}

async function keepCopy(container: Container): Promise<OfflineCopy> {
  return container.register("/sw.js").then(awaitCopy, (error: unknown) => ({
    state: "refused",
    why: error instanceof Error ? error.message : String(error),
  }));
}

/** A worker is active once it has stored the page, and is thrown away when it could not. */
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

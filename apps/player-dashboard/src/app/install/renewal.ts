export interface RenewalDeps {
  /** The version of the service that this page was built with. */
  build: string;
  /** Survives a reload, in this tab only. Undefined when the browser denies storage. */
  storage: Pick<Storage, "getItem" | "setItem"> | undefined;
  reload: () => void;
}

const STORAGE_KEY = "renewed-for";

/**
 * Returns the function that receives the version of the device. It reloads a page of another version, once for each
 * version: the device may serve a page of another build, and reloading it again would never end.
 */
export function createRenewal({ build, storage, reload }: RenewalDeps): (running: string) => void {
  return (running) => {
    if (running === build || !storage || storage.getItem(STORAGE_KEY) === running) return;
    storage.setItem(STORAGE_KEY, running);
    reload();
  };
}

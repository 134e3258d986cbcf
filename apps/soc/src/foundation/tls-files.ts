import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { replaceCertificate, type Tls } from "@kit/http/server";
import type { Log } from "@kit/log";
import { createPollingLoop } from "./polling-loop.ts";

/** A certificate and its key from files that an operator replaces while the service runs. */
export interface TlsFiles<Pair> {
  current(): Pair;
  /**
   * Reads the files again. Returns whether they have changed. Throws if the certificate and the key do not match; the
   * former pair then remains in use.
   */
  refresh(): boolean;
}

interface RenewalDeps {
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}

const RENEWAL_MS = 5000;

export function createTlsFiles<Pair>(read: () => Pair): TlsFiles<Pair> {
  let current = read();
  return {
    current: () => current,
    refresh() {
      const next = read();
      if (isDeepStrictEqual(next, current)) return false;
      current = next;
      return true;
    },
  };
}

/** Switches a server to the certificate whose files were replaced. */
export function createTlsRenewal<Pair>(
  files: TlsFiles<Pair>,
  replace: (pair: Pair) => void,
  { clock, log }: RenewalDeps,
) {
  return createPollingLoop({
    async round() {
      if (!files.refresh()) return;
      replace(files.current());
      log.info({}, "renewed certificate in use");
    },
    waitMs: RENEWAL_MS,
    failure: "the files of a certificate do not fit; the former certificate stays in use",
    clock,
    log,
  });
}

/** Renews the certificate of the HTTP server while it serves. */
export function renewServed(app: Frame, files: TlsFiles<Tls>, deps: RenewalDeps): void {
  const renewal = createTlsRenewal(files, (tls) => replaceCertificate(app.server, tls), deps);
  app.addHook("onReady", async () => renewal.start());
  app.addHook("onClose", () => renewal.close());
}

import { X509Certificate } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Tls } from "@kit/http/server";
import type { Log } from "@kit/log";
import type { Certificate } from "./certificate.ts";

export interface CertificateServiceDeps {
  /** Returns the certificate to use now; the same one as long as it is valid. */
  open: (names: readonly string[], isClockValid: boolean) => Promise<Certificate>;
  /** Removes the device's own authority, so that the next certificate comes from a new one. */
  forgetAuthority: () => Promise<void>;
  /** The names and addresses under which the device is reachable now. */
  names: () => readonly string[];
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
}
export type CertificateService = Awaited<ReturnType<typeof openCertificateService>>;

/** A phone that follows the device into another network finds its new address in the certificate. */
const LOOK_MS = 2000;
const CHECK_MS = 3_600_000;
const RETRY_MS = 60_000;
const SHOW_MS = 2 * 60_000;

/** Holds the certificate in use and replaces it while the service runs. */
export async function openCertificateService(deps: CertificateServiceDeps) {
  const { open, forgetAuthority, names, clock, log } = deps;
  const closing = new AbortController();
  let isClockValid = () => false;
  let apply = (_renewed: Tls): void => undefined;
  let current = await open(names(), false);
  let shownUntilMs = 0;
  let tail: Promise<void> = Promise.resolve();

  async function replace(): Promise<void> {
    const found = await open(names(), isClockValid());
    if (found.cert === current.cert) return;
    apply(found);
    current = found;
    log.info({}, "certificate replaced");
  }

  /** Two checks at once would create two certificates. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    const done = tail.then(work);
    tail = done.catch(() => undefined);
    return done;
  }

  /** Returns when to check again. */
  async function check(): Promise<number> {
    try {
      await enqueue(replace);
      return clock.monotonicMs() + CHECK_MS;
    } catch (error) {
      // Keep using the current certificate; the next check may succeed.
      log.warn({ err: error }, "certificate replacement failed");
      return clock.monotonicMs() + RETRY_MS;
    }
  }

  return {
    current: (): Certificate => current,

    /**
     * Checks at once when the device gets another address or its clock becomes valid, and once an hour: certificates
     * expire, and operators replace their files. New connections get the new certificate.
     */
    async keepFresh(time: { isValid: () => boolean }, use: (renewed: Tls) => void): Promise<void> {
      isClockValid = () => time.isValid();
      apply = use;
      let seen = "";
      let nextMs = clock.monotonicMs() + CHECK_MS;
      for (;;) {
        await clock.sleep(LOOK_MS, closing.signal).catch(() => undefined);
        if (closing.signal.aborted) return;
        const now = JSON.stringify([names(), isClockValid()]);
        if (now === seen && clock.monotonicMs() < nextMs) continue;
        seen = now;
        nextMs = await check();
      }
    },

    /** For a factory reset. Phones that trusted the device have to trust the new authority. */
    replaceAuthority(): Promise<void> {
      return enqueue(async () => {
        await forgetAuthority();
        await replace();
      });
    },

    /**
     * The root certificate for a person who is about to trust it. The device's screen shows its fingerprint for two
     * minutes.
     */
    handOutAuthority(): Buffer | undefined {
      if (current.authority) shownUntilMs = clock.monotonicMs() + SHOW_MS;
      return current.authority;
    },

    /** The SHA-256 fingerprint in hex while the screen has to show it. */
    shownFingerprint(): string | undefined {
      if (!current.authority || clock.monotonicMs() >= shownUntilMs) return undefined;
      return new X509Certificate(current.authority).fingerprint256.replaceAll(":", "").toLowerCase();
    },

    close: (): void => closing.abort(),
  };
}

import type { Clock } from "@kit/clock";
import type { Tls } from "@kit/http/server";
import type { Log } from "@kit/log";
import type { Certificate } from "./certificate.ts";

export interface CertificateServiceDeps {
  /** Returns the certificate to use now; the same one as long as it is valid. */
  open: () => Promise<Certificate>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}
export type CertificateService = Awaited<ReturnType<typeof openCertificateService>>;

const CHECK_MS = 3_600_000;

/** Holds the certificate in use and replaces it while the service runs. */
export async function openCertificateService({ open, clock, log }: CertificateServiceDeps) {
  let current = await open();
  const closing = new AbortController();

  async function check(apply: (renewed: Tls) => void): Promise<void> {
    try {
      const found = await open();
      if (found.cert === current.cert) return;
      apply(found);
      current = found;
      log.info({}, "certificate replaced");
    } catch (error) {
      // Keep using the current certificate; the next check may succeed.
      log.warn({ err: error }, "certificate could not be replaced");
    }
  }

  return {
    current: (): Certificate => current,

    /** Checks once an hour: certificates expire, clocks are set, and networks assign new addresses. */
    async keepFresh(apply: (renewed: Tls) => void): Promise<void> {
      while (!closing.signal.aborted) {
        await clock.sleep(CHECK_MS, closing.signal).catch(() => undefined);
        if (!closing.signal.aborted) await check(apply);
      }
    },

    close: (): void => closing.abort(),
  };
}

import type { Clock } from "@kit/clock";
import type { Tls } from "@kit/http/server";
import type { Log } from "@kit/log";
import type { Certificate } from "./certificate.ts";

export interface CertificateServiceDeps {
  /** Answers the certificate to be used now; the same one for as long as it is good. */
  open: () => Promise<Certificate>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}
export type CertificateService = Awaited<ReturnType<typeof openCertificateService>>;

const CHECK_MS = 3_600_000;

/** Holds the certificate that is in use, and replaces it while the service runs. */
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
      // The one in use goes on, and the next check may do better.
      log.warn({ err: error }, "certificate could not be replaced");
    }
  }

  return {
    current: (): Certificate => current,

    /** Looks once an hour: a certificate ages, clocks are set, and networks give new addresses. */
    async keepFresh(apply: (renewed: Tls) => void): Promise<void> {
      while (!closing.signal.aborted) {
        await clock.sleep(CHECK_MS, closing.signal).catch(() => undefined);
        if (!closing.signal.aborted) await check(apply);
      }
    },

    close: (): void => closing.abort(),
  };
}

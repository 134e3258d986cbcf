import type { Clock } from "@kit/clock";

export interface PairingServiceDeps {
  /** A URL of this device with the token in its fragment. */
  secretUrl: () => string;
  clock: Pick<Clock, "monotonicMs">;
}

export interface Pairing {
  url: string;
  left_s: number;
}

const OPEN_MS = 5 * 60_000;

/** A person who presses the device's button may read its token from its screen, for five minutes. */
export function createPairingService({ secretUrl, clock }: PairingServiceDeps) {
  let untilMs = 0;
  return {
    open(): void {
      untilMs = clock.monotonicMs() + OPEN_MS;
    },

    close(): void {
      untilMs = 0;
    },

    current(): Pairing | undefined {
      const leftMs = untilMs - clock.monotonicMs();
      return leftMs > 0 ? { url: secretUrl(), left_s: Math.ceil(leftMs / 1000) } : undefined;
    },
  };
}

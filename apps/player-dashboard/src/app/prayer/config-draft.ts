import type { PrayerConfigRequest } from "@player/service/contract/prayer";
import { type ReadonlySignal, signal } from "@preact/signals";
import { createThrottle } from "../live/throttle.ts";
import { mergeRequests } from "./prayers.ts";

export interface ConfigDraftDeps {
  /** Answers whether the device took it. */
  send: (request: PrayerConfigRequest) => Promise<boolean>;
  after: (delayMs: number, task: () => void) => () => void;
}

export interface ConfigDraft {
  /** What the owner asked for and the device has not confirmed yet. */
  pending: ReadonlySignal<PrayerConfigRequest>;
  change: (request: PrayerConfigRequest) => void;
}

/** A stepper is tapped many times; 30 changes in ten seconds are the device's budget. */
const GAP_MS = 500;
/** The event with the new times may come a little after the answer. */
const CONFIRMED_MS = 400;

/** Shows changes at once and sends them together. What the device refuses is taken back. */
export function createConfigDraft({ send, after }: ConfigDraftDeps): ConfigDraft {
  const pending = signal<PrayerConfigRequest>({});
  const post = createThrottle<PrayerConfigRequest>({
    gapMs: GAP_MS,
    after,
    async send(request) {
      const settle = () => {
        if (pending.value === request) pending.value = {};
      };
      if (await send(request)) after(CONFIRMED_MS, settle);
      else settle();
    },
  });
  return {
    pending,
    change(request) {
      pending.value = mergeRequests(pending.value, request);
      post(pending.value);
    },
  };
}

import type { PrayerConfigRequest } from "@player/service/contract/prayer";
import { type ReadonlySignal, signal } from "@preact/signals";
import { createThrottle } from "../live/throttle.ts";
import { mergeRequests } from "./prayers.ts";

export interface ConfigDraftDeps {
  /** Resolves to whether the device accepted it. */
  send: (request: PrayerConfigRequest) => Promise<boolean>;
  after: (delayMs: number, task: () => void) => () => void;
}

export interface ConfigDraft {
  /** The owner's changes that the device has not confirmed yet. */
  pending: ReadonlySignal<PrayerConfigRequest>;
  change: (request: PrayerConfigRequest) => void;
}

/** The device accepts 30 changes in ten seconds, and a stepper is tapped many times. */
const GAP_MS = 500;
/** The event with the new times may come a little after the answer. */
const CONFIRMED_MS = 400;

/** Shows changes immediately and sends them together. Reverts what the device refuses. */
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

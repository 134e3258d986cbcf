import type { PrayerBody } from "@player/service/contract/prayer";
import { readStored, writeStored } from "../../app/browser-storage.ts";

const STORAGE_KEY = "guide";

/** Whether the owner has been through the guide in this browser, or would rather not. */
export function isGuideDone(): boolean {
  return readStored(STORAGE_KEY) !== undefined;
}

export function finishGuide(): void {
  writeStored(STORAGE_KEY, "done");
}

/** Whether a newcomer should be led to the guide. `prayer` is undefined until the device has spoken. */
export function needsGuide(prayer: Pick<PrayerBody, "configured"> | undefined, isDone: boolean): boolean {
  return prayer !== undefined && !prayer.configured && !isDone;
}

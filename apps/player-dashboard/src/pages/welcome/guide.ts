import type { PrayerBody } from "@player/service/contract/prayer";
import { readStored, writeStored } from "../../app/browser/browser-storage.ts";

const STORAGE_KEY = "guide";

/** Whether the owner has finished or skipped the guide in this browser. */
export function isGuideDone(): boolean {
  return readStored(STORAGE_KEY) !== undefined;
}

export function finishGuide(): void {
  writeStored(STORAGE_KEY, "done");
}

/** Whether the guide should open. `prayer` is undefined until it is loaded. */
export function needsGuide(prayer: Pick<PrayerBody, "configured"> | undefined, isDone: boolean): boolean {
  return prayer !== undefined && !prayer.configured && !isDone;
}

import type { PrayerBody } from "@player/service/contract/prayer";
import { readKept, writeKept } from "../../app/kept.ts";

const KEPT_AS = "guide";

/** Whether the owner has been through the guide in this browser, or would rather not. */
export function isGuideDone(): boolean {
  return readKept(KEPT_AS) !== undefined;
}

export function finishGuide(): void {
  writeKept(KEPT_AS, "done");
}

/** Whether a newcomer should be led to the guide. `prayer` is undefined until the device has spoken. */
export function needsGuide(prayer: Pick<PrayerBody, "configured"> | undefined, isDone: boolean): boolean {
  return prayer !== undefined && !prayer.configured && !isDone;
}

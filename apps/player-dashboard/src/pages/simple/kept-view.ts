import { readKept, writeKept } from "../../app/kept.ts";

const VIEW_KEPT_AS = "view";
const LIMIT_KEPT_AS = "simple-volume";
const SIMPLE = "simple";
/** Loud enough for a room, and kind to small ears. */
const FIRST_LIMIT = 70;

/** Whether this browser opens the simple view by itself. */
export function isSimpleKept(): boolean {
  return readKept(VIEW_KEPT_AS) === SIMPLE;
}

export function keepSimple(isSimple: boolean): void {
  writeKept(VIEW_KEPT_AS, isSimple ? SIMPLE : undefined);
}

/** How loud the simple view may be, as chosen when it was entered; never above the owner's limit of the device. */
export function limitOf(maxVolume: number): number {
  return readLimit(readKept(LIMIT_KEPT_AS), maxVolume);
}

export function keepLimit(limit: number): void {
  writeKept(LIMIT_KEPT_AS, String(limit));
}

/** What was kept may be anything: another page of this address could have written it. */
export function readLimit(kept: string | undefined, maxVolume: number): number {
  const limit = kept !== undefined && /^\d{1,3}$/.test(kept) ? Number(kept) : FIRST_LIMIT;
  return Math.min(limit, maxVolume);
}

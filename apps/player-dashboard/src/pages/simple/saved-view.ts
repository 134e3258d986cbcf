import { readStored, writeStored } from "../../app/browser/browser-storage.ts";

const VIEW_STORAGE_KEY = "view";
const LIMIT_STORAGE_KEY = "simple-volume";
const SIMPLE = "simple";
/** Loud enough for a room, and safe for children. */
const FIRST_LIMIT = 70;

/** Whether this browser opens in the simple view. */
export function isSimpleKept(): boolean {
  return readStored(VIEW_STORAGE_KEY) === SIMPLE;
}

export function keepSimple(isSimple: boolean): void {
  writeStored(VIEW_STORAGE_KEY, isSimple ? SIMPLE : undefined);
}

/** How loud the simple view may be, as chosen when it was entered; never above the owner's limit of the device. */
export function readVolumeLimit(maxVolume: number): number {
  return parseVolumeLimit(readStored(LIMIT_STORAGE_KEY), maxVolume);
}

export function keepLimit(limit: number): void {
  writeStored(LIMIT_STORAGE_KEY, String(limit));
}

/** The stored value is untrusted: another page on this address could have written it. */
export function parseVolumeLimit(kept: string | undefined, maxVolume: number): number {
  const limit = kept !== undefined && /^\d{1,3}$/.test(kept) ? Number(kept) : FIRST_LIMIT;
  return Math.min(limit, maxVolume);
}

import { invalidField } from "@kit/problem";
import { foldCardName, parseCardName } from "../library/card-name.ts";
import { mayBeReciter } from "../library/scan.ts";
import type { CreateUploadRequest, StoredUpload } from "./uploads.schema.ts";

/** A file on its way to the card. `offset` bytes of it are safe on the card. */
export type Upload = StoredUpload;

type Target = Pick<StoredUpload, "kind" | "reciter" | "surah" | "name">;

const ADHAN_FOLDER = "Adhan";
/** Longer than a night: a phone that was switched off continues the next day. */
const MAX_AGE_S = 48 * 60 * 60;

/** Reads what the kind of the upload requires, and names the field that is wrong. */
export function parseTarget({ kind, reciter, surah, name }: CreateUploadRequest): Target {
  if (kind === "adhan") {
    if (name === undefined) throw invalidField("name", "is required");
    return { kind, reciter: "", surah: 0, name: parseCardName("name", name) };
  }
  if (reciter === undefined) throw invalidField("reciter", "is required");
  if (surah === undefined) throw invalidField("surah", "is required");
  const folder = parseCardName("reciter", reciter);
  if (!mayBeReciter(folder)) throw invalidField("reciter", "is not a name for a reciter", { code: "name_refused" });
  return { kind, reciter: folder, surah, name: "" };
}

/** Where the file goes: the folder, and the file name without its extension. */
export function toSlot({ kind, reciter, surah, name }: Target): { folder: string; stem: string } {
  if (kind === "adhan") return { folder: ADHAN_FOLDER, stem: name };
  return { folder: reciter, stem: String(surah).padStart(3, "0") };
}

export function hasSameTarget(one: Target, other: Target): boolean {
  const [a, b] = [toSlot(one), toSlot(other)];
  return foldCardName(`${a.folder}/${a.stem}`) === foldCardName(`${b.folder}/${b.stem}`);
}

/** A time in the future is the fault of a clock that was wrong. */
export function isExpired({ changed_at }: Pick<StoredUpload, "changed_at">, nowS: number): boolean {
  return nowS - changed_at > MAX_AGE_S;
}

/** Bytes of the card that the uploads still need. */
export function countOutstanding(uploads: Iterable<Upload>): number {
  let sum = 0;
  for (const { bytes, offset } of uploads) sum += bytes - offset;
  return sum;
}

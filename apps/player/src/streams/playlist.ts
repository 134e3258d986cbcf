import { Problem } from "@kit/problem";

const LINE_CHARACTERS: readonly number[] = Array.from(Buffer.from("\t\n\v\f\r"));
const HLS = /^#EXT-X-/m;
const PLS_ENTRY = /^File\d+\s*=\s*(.+)$/i;
const URL_START = /^https?:\/\//i;

/**
 * True when these first bytes are text: one or two frames of any codec contain control characters, text contains none.
 */
export function isText(head: Buffer): boolean {
  return !head.some((byte) => byte < 0x20 && !LINE_CHARACTERS.includes(byte));
}

/** The addresses of a playlist. A text that is not a playlist is not audio either. */
export function findEntries(field: string, text: string, base: URL): URL[] {
  if (HLS.test(text)) throw new Problem("failed", `${field}: leads to an HLS playlist, which this device cannot play`);
  const places = listEntries(text).flatMap((each) => (URL.canParse(each, base.href) ? new URL(each, base) : []));
  const entries = places.filter(isWeb);
  if (entries.length === 0) throw new Problem("failed", `${field}: leads to a text, not to audio`);
  return entries;
}

function listEntries(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const [first = ""] = lines.filter((line) => line !== "");
  if (first.toLowerCase() === "[playlist]") return lines.flatMap((line) => PLS_ENTRY.exec(line)?.[1] ?? []);
  const places = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (first.startsWith("#EXTM3U")) return places;
  // The simplest playlist has no mark except a line with a URL; only absolute URLs count, because web pages have
  // relative ones.
  return places.slice(0, 1).filter((place) => URL_START.test(place));
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

import { invalidField } from "@kit/problem";

/** FAT and ext4 allow 255; the rest is left for an extension. */
const MAX_NAME_BYTES = 200;
/** FAT and exFAT forbid them. */
const FORBIDDEN = /["*/:<>?\\|]/;
// Letters that cannot be seen, or that turn the direction of what follows. U+200C and U+200D shape Persian and Urdu.
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD]|(?![\u200C\u200D])\p{Cf}/u;
/** Windows opens a device by such a name, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/** Reads a name for the card from a request. Refuses a name that FAT, exFAT or ext4 cannot keep exactly as it is. */
export function parseCardName(field: string, text: string): string {
  if (INVISIBLE.test(text)) throw refusal(field, "must not have control characters or invisible characters");
  const name = text.normalize("NFC").replace(/\s+/gu, " ").trim();
  if (name === "") throw refusal(field, "must not be empty");
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw refusal(field, `must be at most ${MAX_NAME_BYTES} bytes`);
  if (FORBIDDEN.test(name)) throw refusal(field, 'must not have any of " * / : < > ? \\ |');
  if (name.startsWith(".") || name.endsWith(".")) throw refusal(field, "must not begin or end with a dot");
  if (RESERVED.test(name)) throw refusal(field, "is a name that memory cards reserve");
  return name;
}

/** Two names with the same fold are one name on a FAT card. */
export function foldCardName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

function refusal(field: string, why: string) {
  return invalidField(field, why, { code: "name_refused" });
}

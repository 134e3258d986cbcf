import { createHash } from "node:crypto";

/** The key of one part of a named batch. It includes the sender, because two senders may use the same batch names. */
export function batchKeyOf(sender: string, source: string, batchId: string, part: number): string {
  return toUuid(digestOf(["batch", sender, source, batchId, part]));
}

/** The key of a piece of a named batch, by the positions of its first and last entry. */
export function pieceKeyOf(batchKey: string, first: number, last: number): string {
  return toUuid(digestOf(["piece", batchKey, first, last]));
}

/**
 * The log id of an event with a sender-defined id, identical when the event is sent again. Unless the id is known to be
 * unique, it includes the content, so that two events that share an id by mistake are both stored, for example from
 * several devices behind one relay.
 */
export function eventLogIdOf(sender: string, { id, isIdUnique, raw }: NamedEvent): string {
  return toUuid(digestOf(["event", sender, id, isIdUnique ? "" : raw]));
}

interface NamedEvent {
  id: string;
  isIdUnique?: true | undefined;
  raw: string;
}

const PLACE_DIGITS = 8;

/** The log id of an entry of a named batch, by its position. */
export function placeLogIdOf(batchKey: string, place: number): string {
  return `${batchKey.slice(0, -PLACE_DIGITS)}${place.toString(16).padStart(PLACE_DIGITS, "0")}`;
}

/** The deduplication token of exactly these logs: a repeated insert has the same token. */
export function tokenOf(logs: readonly { id: string }[]): string {
  const hash = createHash("sha256");
  for (const { id } of logs) hash.update(id).update("\n");
  return hash.digest("hex").slice(0, 40);
}

/** A digest of the content of a batch, which distinguishes a repeat from another batch with the same name. */
export function contentDigestOf(raws: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const raw of raws) hash.update(raw).update("\n");
  return hash.digest("base64url").slice(0, 22);
}

function digestOf(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** RFC 9562, section 5.8: version 8, for a UUID that is derived from other data. */
function toUuid(digest: string): string {
  const variant = "89ab".charAt(Number.parseInt(digest.charAt(16), 16) % 4);
  const groups = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
  ];
  return [...groups, digest.slice(20, 32)].join("-");
}

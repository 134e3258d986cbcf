import { createHash } from "node:crypto";

/** The key of one part of a batch that its sender gave a name; two senders may well count their batches alike. */
export function batchKeyOf(sender: string, source: string, batchId: string, part: number): string {
  return toUuid(digestOf(["batch", sender, source, batchId, part]));
}

/**
 * The id of the log of an event that its sender gave a name: the same again when the event comes again. Unless the name
 * is surely the event's alone, what it says belongs to it: of two that share a name by mistake, as those of several
 * devices behind one relay, none is lost.
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

/** The id of the log at a place of a named batch. */
export function placeLogIdOf(batchKey: string, place: number): string {
  return `${batchKey.slice(0, -PLACE_DIGITS)}${place.toString(16).padStart(PLACE_DIGITS, "0")}`;
}

/** A name for exactly these logs, so that a repeated insert of them is known for one. */
export function tokenOf(logs: readonly { id: string }[]): string {
  const hash = createHash("sha256");
  for (const { id } of logs) hash.update(id).update("\n");
  return hash.digest("hex").slice(0, 40);
}

/** What a batch said, to tell a repeat from another one under the same name. */
export function contentDigestOf(raws: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const raw of raws) hash.update(raw).update("\n");
  return hash.digest("base64url").slice(0, 22);
}

function digestOf(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** RFC 9562, section 5.8: version 8, for a UUID that is made of something else. */
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

import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { invalidField, Problem } from "@kit/problem";

/** A file or folder on the card, links resolved. */
export interface CardPlace {
  kind: "file" | "folder";
  /** The real path. It never leaves the service. */
  absolute: string;
  /** The path for clients: relative to the card, with slashes; "" is the root of the card. */
  path: string;
}

const MAX_BYTES = 4096;
const NOT_ON_CARD = "there is no such file or folder on the card";

/**
 * Resolves an external path to a file on the card without opening it. Refuses anything that is not a regular file
 * inside the card.
 */
export async function resolveFile(cardFolder: string, path: string): Promise<CardPlace> {
  if (path === "") throw refusal("must not be empty");
  const place = await resolvePlace(cardFolder, path);
  if (place.kind !== "file") throw refusal("is a folder, not a file");
  return place;
}

/** The same for a folder; "" is the root of the card. */
export async function resolveFolder(cardFolder: string, path: string): Promise<CardPlace> {
  const place = await resolvePlace(cardFolder, path);
  if (place.kind !== "folder") throw refusal("is a file, not a folder");
  return place;
}

export async function resolvePlace(cardFolder: string, path: string): Promise<CardPlace> {
  const segments = parseSegments(path);
  const root = await realpath(cardFolder).catch((cause: unknown) => refuseUnreadable(cause, "no card is in"));
  const below = isAbsolute(path) ? segmentsBelow([root, resolve(cardFolder)], segments) : segments;
  const absolute = await realpath([root, ...below].join("/")).catch(refuseUnreadable);
  // The same message as for a missing file: a link on the card must not reveal which files exist outside the card.
  if (!isInside(root, absolute)) throw missing(NOT_ON_CARD);
  const stats = await stat(absolute).catch(refuseUnreadable);
  if (!stats.isFile() && !stats.isDirectory()) throw refusal("is neither a file nor a folder");
  return { kind: stats.isFile() ? "file" : "folder", absolute, path: below.join("/") };
}

/** The path for clients, whether the file exists or not. Refuses a path that cannot be on the card. */
export async function pathOnCard(cardFolder: string, path: string): Promise<string> {
  const segments = parseSegments(path);
  if (!isAbsolute(path)) return segments.join("/");
  const root = await realpath(cardFolder).catch(() => resolve(cardFolder));
  return segmentsBelow([root, resolve(cardFolder)], segments).join("/");
}

/** The path is not decoded: a percent sign is a percent sign. */
function parseSegments(path: string): string[] {
  if (Buffer.byteLength(path) > MAX_BYTES) throw refusal(`must be at most ${MAX_BYTES} bytes`);
  if (/\p{Cc}|\p{Cs}/u.test(path)) throw refusal("must not have control characters or broken letters");
  if (path.includes("\\")) throw refusal("must be written with forward slashes");
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw outside();
  return segments;
}

function segmentsBelow(roots: readonly string[], segments: readonly string[]): string[] {
  const path = `/${segments.join("/")}`;
  const root = roots.find((each) => isInside(each, path));
  if (root === undefined) throw outside();
  return relative(root, path).split("/").filter(Boolean);
}

function isInside(root: string, path: string): boolean {
  const relativePath = relative(root, path);
  return relativePath !== ".." && !relativePath.startsWith("../");
}

const MISSING_CODES = new Set<unknown>(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EACCES"]);

/** Converts a file system error: a missing file is an error of the caller, everything else is not. */
export function refuseUnreadable(cause: unknown, why = NOT_ON_CARD): never {
  if (cause instanceof Error && "code" in cause && MISSING_CODES.has(cause.code)) throw missing(why, cause);
  throw new Problem("failed", "path: the card cannot be read", { cause });
}

function outside(): Problem {
  return refusal("must lie inside the card");
}

function missing(why: string, cause?: unknown): Problem {
  return invalidField("path", why, { code: "file_missing", cause });
}

function refusal(why: string): Problem {
  return invalidField("path", why);
}

import { type Fields, isFields, type ParseResult, readName } from "./event.ts";
import { linesIn, objectIn } from "./json-values.ts";

const IS_UPDATE = /^\{\s*"update"/;

type Action = "index" | "create";

/** One item of the body of Elastic's `_bulk`: its action, the index and the id that it names, and the document. */
export interface BulkItem {
  action: Action;
  index: string;
  id: string | undefined;
  found: ParseResult;
}

/** Lines with actions and documents alternate. An action without an index has the index of the path. */
export function readBulkItems(text: string, pathIndex = ""): BulkItem[] {
  return [...iterateBulkItems(text, pathIndex)];
}

/** For a large body: each item is parsed when it is needed. */
export function* iterateBulkItems(text: string, pathIndex = ""): Generator<BulkItem, void, undefined> {
  const lines = linesIn(text, 2);
  for (let at = 0; at < lines.length; at += 1) {
    const action = lines[at] ?? "";
    const read = actionIn(action);
    if (typeof read === "string") {
      // An update also has a document line, which must not be read as the next action.
      const raw = IS_UPDATE.test(action) ? `${action}\n${lines[++at] ?? ""}` : action;
      yield { action: "index", index: pathIndex, id: undefined, found: { raw, reason: read } };
      continue;
    }
    at += 1;
    yield buildBulkItem(read, action, lines[at], pathIndex);
  }
}

interface ReadAction {
  action: Action;
  target: Fields;
}

/** Parses an action line, or returns why it is not supported: logs are appended, never changed or removed. */
function actionIn(line: string): ReadAction | string {
  const read = objectIn(line);
  if (!("object" in read)) return read.reason.replace(/^event/, "action");
  const [[action, target] = ["", undefined], ...others] = Object.entries(read.object);
  if (others.length > 0 || !isFields(target)) return "action: must be one of index, create with an object";
  return action === "index" || action === "create" ? { action, target } : "action: must be one of index, create";
}

function buildBulkItem(
  { action, target }: ReadAction,
  actionLine: string,
  document: string | undefined,
  pathIndex: string,
): BulkItem {
  const index = readName(target._index) ?? pathIndex;
  const id = readName(target._id);
  const raw = document === undefined ? actionLine : `${actionLine}\n${document}`;
  if (document === undefined) return { action, index, id, found: { raw, reason: "document: is missing" } };
  const read = objectIn(document);
  if (!("object" in read))
    return { action, index, id, found: { raw, reason: read.reason.replace(/^event/, "document") } };
  const source = readName(read.object.source);
  return {
    action,
    index,
    id,
    found: {
      fields: read.object,
      raw: document,
      // An id is unique within its index.
      ...(id !== undefined && { id: JSON.stringify([index, id]), isIdUnique: true }),
      ...(source && { source }),
    },
  };
}

interface Refusal {
  index: number;
  reason: string;
}

/**
 * The result of each item, in order. A refused item becomes a dead letter, because sending it again would not help.
 */
export function buildBulkAnswer(items: readonly BulkItem[], refused: readonly Refusal[], tookMs: number) {
  const reasons = new Map(refused.map(({ index, reason }) => [index, reason]));
  return {
    took: Math.round(tookMs),
    errors: reasons.size > 0,
    items: items.map(({ action, index, id }, at) => ({ [action]: buildItemResult(index, id, reasons.get(at)) })),
  };
}

function buildItemResult(index: string, id: string | undefined, reason: string | undefined) {
  const named = { _index: index, ...(id !== undefined && { _id: id }) };
  if (reason === undefined) return { ...named, status: 201, result: "created" };
  return { ...named, status: 400, error: { type: "mapper_parsing_exception", reason } };
}

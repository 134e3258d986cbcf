import { canonicalJson } from "@kit/query/canonical-json";

type Check = (value: unknown) => boolean;
type Shape = ReadonlyMap<string, Check>;

const isText: Check = (value) => typeof value === "string" && canBeHashed(value);
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isHash: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isSignature: Check = (value) => typeof value === "string" && /^[0-9a-f]{128}$/.test(value);
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const buildShape = (fields: Record<string, Check>): Shape => new Map(Object.entries(fields));
const BUNDLE = buildShape({
  format: (value) => value === "manara-soc-ledger-1",
  public_key: isHash,
  checkpoint: orNull(isObject),
  chain: isObject,
  entries: Array.isArray,
});
const CHECKPOINT = buildShape({
  tree_size: isCount,
  root_hash: isHash,
  at: isText,
  key_id: isHash,
  signature: isSignature,
});
const CHAIN = buildShape({
  case_id: isText,
  length: isCount,
  head_hash: isHash,
  covered: isCount,
  tree_size: isCount,
  at: isText,
  key_id: isHash,
  signature: isSignature,
});
const PROVEN_ENTRY = buildShape({
  entry: isObject,
  leaf_index: orNull(isCount),
  audit_path: orNull((value) => Array.isArray(value) && value.every(isHash)),
});
const ENTRY = buildShape({
  case_id: isText,
  sequence: isCount,
  previous_hash: isHash,
  entry_hash: isHash,
  kind: isText,
  actor: isText,
  at: isText,
  body: (value) => isObject(value) && canBeHashed(value),
});

/**
 * Returns why a value is not a bundle; undefined if it is one. Unknown fields are refused, because no signature covers
 * them.
 */
export function misfitIn(bundle: unknown): string | undefined {
  const misfit = findMisfit("the bundle", bundle, BUNDLE);
  if (misfit !== undefined) return misfit;
  const { checkpoint, chain, entries } = toRecord(bundle);
  return (
    (checkpoint === null ? undefined : findMisfit("the checkpoint", checkpoint, CHECKPOINT)) ??
    findMisfit("the chain", chain, CHAIN) ??
    findFirst(entries, (item, place) => findMisfit(`entry ${place}`, item, PROVEN_ENTRY)) ??
    findFirst(entries, (item, place) => findMisfit(`entry ${place}`, toRecord(item).entry, ENTRY))
  );
}

function findMisfit(name: string, value: unknown, shape: Shape): string | undefined {
  if (!isObject(value)) return `${name} is not an object`;
  const missing = [...shape.keys()].find((field) => !Object.hasOwn(value, field));
  if (missing !== undefined) return `${name} has no ${missing}`;
  for (const [field, member] of Object.entries(value)) {
    const check = shape.get(field);
    if (!check) return `${name} has the unknown field '${field}'`;
    if (!check(member)) return `${name} has a malformed ${field}`;
  }
  return undefined;
}

function toRecord(value: unknown): Record<string, unknown> {
  return isObject(value) ? Object.fromEntries(Object.entries(value)) : {};
}

function findFirst(items: unknown, find: (item: unknown, place: number) => string | undefined): string | undefined {
  if (!Array.isArray(items)) return undefined;
  for (const [index, item] of items.entries()) {
    const found = find(item, index + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function canBeHashed(value: unknown): boolean {
  try {
    canonicalJson(value);
    return true;
  } catch {
    return false;
  }
}

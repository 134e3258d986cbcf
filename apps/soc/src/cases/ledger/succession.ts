import { canonicalJson } from "@kit/query/canonical-json";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Signature = Type.String({ pattern: "^[0-9a-f]{128}$" });
const named = {
  /** The last tree size that the former key signed; 0 before its first checkpoint. */
  tree_size: Type.Integer({ minimum: 0 }),
  root_hash: Type.String(),
  at: Type.String(),
  key_id: Hash,
  public_key: Hash,
  next_key_id: Hash,
  next_public_key: Hash,
};
/** The last checkpoint of a key, which names the next signing key. Both keys sign it. */
export const Succession = Type.Object(
  { ...named, signature: Signature, next_signature: Signature },
  { additionalProperties: false },
);
export type Succession = Static<typeof Succession>;

function format(statement: Omit<Succession, "signature" | "next_signature">): string {
  const { tree_size, root_hash, at, key_id, public_key, next_key_id, next_public_key } = statement;
  return canonicalJson({
    succession: { tree_size, root_hash, at, key_id, public_key, next_key_id, next_public_key },
  });
}

export function signSuccession(
  former: LedgerKey,
  next: LedgerKey,
  last: Pick<Succession, "tree_size" | "root_hash" | "at">,
): Succession {
  const statement = {
    ...last,
    key_id: former.key_id,
    public_key: former.public_key,
    next_key_id: next.key_id,
    next_public_key: next.public_key,
  };
  const text = format(statement);
  return { ...statement, signature: former.sign(text), next_signature: next.sign(text) };
}

/** Returns undefined if the input is not a succession or lacks a signature of one of its keys. */
export function readSuccession(given: unknown): Succession | undefined {
  if (!Value.Check(Succession, given)) return undefined;
  const { key_id, public_key, next_key_id, next_public_key, signature, next_signature } = given;
  const message = Buffer.from(format(given));
  const isSigned = (key: string, by: string) => verifyEd25519(Buffer.from(key, "hex"), message, Buffer.from(by, "hex"));
  const areNamed = computeKeyId(public_key) === key_id && computeKeyId(next_public_key) === next_key_id;
  return areNamed && isSigned(public_key, signature) && isSigned(next_public_key, next_signature) ? given : undefined;
}

/** Returns the successions from one key to another in order; undefined if there is no path. */
export function findPath(from: string, to: string, successions: readonly Succession[]): Succession[] | undefined {
  const path: Succession[] = [];
  for (let at = from; at !== to; ) {
    const next = successions.find(({ key_id }) => key_id === at);
    if (!next || path.includes(next)) return undefined;
    path.push(next);
    at = next.next_key_id;
  }
  return path;
}

function computeKeyId(publicKey: string): string {
  return Buffer.from(sha256(Buffer.from(publicKey, "hex"))).toString("hex");
}

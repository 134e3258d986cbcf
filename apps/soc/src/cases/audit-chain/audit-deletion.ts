import { canonicalJson } from "@kit/query/canonical-json";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";

/** A signed statement that the operator deleted the entries of the first batches. Their ids and hashes stay. */
export const AuditDeletion = Type.Object(
  {
    batches: Type.Integer({ minimum: 1 }),
    before: Type.String(),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
    at: Type.String(),
    key_id: Type.String(),
    signature: Type.String({ pattern: "^[0-9a-f]{128}$" }),
  },
  { additionalProperties: false },
);
export type AuditDeletion = Static<typeof AuditDeletion>;

function format({ batches, before, reason, at, key_id }: Omit<AuditDeletion, "signature">): string {
  return canonicalJson({ audit_deletion: { batches, before, reason, at, key_id } });
}

export function signDeletion(key: LedgerKey, made: Omit<AuditDeletion, "key_id" | "signature">): AuditDeletion {
  const statement = { ...made, key_id: key.key_id };
  return { ...statement, signature: key.sign(format(statement)) };
}

/** Returns how many of the first batches were deleted by statements that a key of the ledger signed. */
export function countDeleted(
  statements: readonly unknown[],
  publicKeyOf: (key_id: string) => string | undefined,
): number {
  const genuine = statements.filter((statement): statement is AuditDeletion => {
    if (!Value.Check(AuditDeletion, statement)) return false;
    const publicKey = publicKeyOf(statement.key_id);
    if (publicKey === undefined) return false;
    const [key, signature] = [Buffer.from(publicKey, "hex"), Buffer.from(statement.signature, "hex")];
    return verifyEd25519(key, Buffer.from(format(statement)), signature);
  });
  return Math.max(0, ...genuine.map(({ batches }) => batches));
}

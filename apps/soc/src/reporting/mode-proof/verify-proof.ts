import Value from "typebox/value";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import { ModeProofBody } from "./mode-proof.schema.ts";
import { formatProof } from "./proof.ts";

export type ProofVerdict = { isGenuine: true; proof: ModeProofBody } | { isGenuine: false; message: string };

/** Reports whether the format of a file is that of a proof of the mode. */
export function isModeProof(file: unknown): boolean {
  return (
    typeof file === "object" &&
    file !== null &&
    "format" in file &&
    file.format === ModeProofBody.properties.format.const
  );
}

/** Verifies a proof. Without a trusted key id this only shows that the holder of the proof's own key signed it. */
export function verifyProof(proof: unknown, trustedKeyId?: string): ProofVerdict {
  if (!Value.Check(ModeProofBody, proof)) return { isGenuine: false, message: "the file is not a proof of the mode" };
  const { signature, ...statement } = proof;
  const { key_id, public_key } = statement;
  if (trustedKeyId !== undefined && key_id !== trustedKeyId) {
    return { isGenuine: false, message: `the proof is signed by key ${key_id}, not by the trusted one` };
  }
  const key = Buffer.from(public_key, "hex");
  if (Buffer.from(sha256(key)).toString("hex") !== key_id) {
    return { isGenuine: false, message: "public_key is not the key that the proof names in key_id" };
  }
  return verifyEd25519(key, Buffer.from(formatProof(statement)), Buffer.from(signature, "hex"))
    ? { isGenuine: true, proof }
    : { isGenuine: false, message: "the proof was changed: its signature does not match" };
}

/** Formats the verdict as a sentence. */
export function formatProofVerdict(verdict: ProofVerdict): string {
  if (!verdict.isGenuine) return `NOT GENUINE: ${verdict.message}`;
  const { from, to, generated_at, mode, is_complete, totals, key_id } = verdict.proof;
  const { refused, recorded, sent } = totals;
  const extent = is_complete ? "" : ", and possibly more";
  return (
    `GENUINE: from ${from} to ${to}, as known at ${generated_at} in mode ${mode}: ` +
    `${sent} sent, ${recorded} only recorded, ${refused} refused${extent}. Signed by key ${key_id}`
  );
}

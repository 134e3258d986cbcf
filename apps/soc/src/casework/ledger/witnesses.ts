import Value from "typebox/value";
import { verifyEd25519 } from "../../foundation/records/digest.ts";
import { CheckpointBody } from "./ledger.schema.ts";
import { formatCheckpoint } from "./ledger.ts";
import type { Verdict } from "./verify.ts";

/**
 * Holds a bundle that is genuine in itself against the checkpoints that were kept outside the database: one that was exported
 * after a checkpoint must know it. Whoever restored an older database, or grew another one, cannot make such a bundle.
 */
export function compareWithCheckpoints(verdict: Verdict, checkpointFile: string): Verdict {
  if (!verdict.isGenuine) return verdict;
  const { chain, checkpoint, public_key } = verdict;
  const size = checkpoint?.tree_size ?? 0;
  for (const witness of witnessesIn(checkpointFile)) {
    const { tree_size, root_hash, at } = witness;
    if (!isSigned(witness, public_key))
      return against(`the kept checkpoint of ${at} was not signed by the bundle's key`);
    if (at <= chain.at && size < tree_size) {
      return against(
        `the ledger had ${tree_size} entries at ${at}, but this later export knows ${size}: it was set back`,
      );
    }
    if (size === tree_size && checkpoint?.root_hash !== root_hash) {
      return against(`its first ${size} entries are not the ones that were signed at ${at}`);
    }
  }
  return verdict;
}

function against(message: string): Verdict {
  return { isGenuine: false, fault: { kind: "other_history", message } };
}

/** Lines before somebody answered for the database as it was then do not speak against it any more. */
function witnessesIn(checkpointFile: string): CheckpointBody[] {
  const lines = checkpointFile.split("\n").filter((line) => line !== "");
  const read = lines.map((line): unknown => JSON.parse(line));
  const accepted = read.findLastIndex((line) => typeof line === "object" && line !== null && "accepted_by" in line);
  return read.slice(accepted + 1).map((line) => Value.Parse(CheckpointBody, line));
}

function isSigned(checkpoint: CheckpointBody, public_key: string): boolean {
  const message = Buffer.from(formatCheckpoint(checkpoint));
  return verifyEd25519(Buffer.from(public_key, "hex"), message, Buffer.from(checkpoint.signature, "hex"));
}

import Value from "typebox/value";
import { verifyEd25519 } from "../../foundation/records/digest.ts";
import { CheckpointBody } from "./ledger.schema.ts";
import { formatCheckpoint } from "./ledger.ts";
import type { Verdict } from "./verify.ts";

/**
 * Compares a genuine bundle with the checkpoints that were kept outside the database: a bundle that was exported after a
 * checkpoint must include it. A restored older database, or one with another history, cannot produce such a bundle.
 */
export function compareWithCheckpoints(verdict: Verdict, checkpointFile: string): Verdict {
  if (!verdict.isGenuine) return verdict;
  const { chain, checkpoint, public_key } = verdict;
  const size = checkpoint?.tree_size ?? 0;
  for (const witness of parseCheckpoints(checkpointFile)) {
    const { tree_size, root_hash, at } = witness;
    if (!isSigned(witness, public_key)) return fail(`the kept checkpoint of ${at} was not signed by the bundle's key`);
    if (at <= chain.at && size < tree_size) {
      return fail(`the ledger had ${tree_size} entries at ${at}, but this later export knows ${size}: it was set back`);
    }
    if (size === tree_size && checkpoint?.root_hash !== root_hash) {
      return fail(`its first ${size} entries are not the ones that were signed at ${at}`);
    }
  }
  return verdict;
}

function fail(message: string): Verdict {
  return { isGenuine: false, fault: { kind: "other_history", message } };
}

/** The checkpoints after the last acceptance by an operator; earlier ones no longer count. */
function parseCheckpoints(checkpointFile: string): CheckpointBody[] {
  const lines = checkpointFile.split("\n").filter((line) => line !== "");
  const read = lines.map((line): unknown => JSON.parse(line));
  const accepted = read.findLastIndex((line) => typeof line === "object" && line !== null && "accepted_by" in line);
  return read.slice(accepted + 1).map((line) => Value.Parse(CheckpointBody, line));
}

function isSigned(checkpoint: CheckpointBody, public_key: string): boolean {
  const message = Buffer.from(formatCheckpoint(checkpoint));
  return verifyEd25519(Buffer.from(public_key, "hex"), message, Buffer.from(checkpoint.signature, "hex"));
}

import Type from "typebox";
import Value from "typebox/value";
import { verifyEd25519 } from "../../foundation/records/digest.ts";
import { CheckpointBody } from "./ledger.schema.ts";
import { formatCheckpoint } from "./ledger.ts";
import { findPath, readSuccession, type Succession } from "./succession.ts";
import type { Verdict } from "./verify.ts";

/**
 * Compares a genuine bundle with external checkpoints: a bundle exported after a checkpoint must include it. A restored
 * older database, or one with another history, cannot produce such a bundle.
 */
export function compareWithCheckpoints(verdict: Verdict, checkpointFile: string): Verdict {
  if (!verdict.isGenuine) return verdict;
  const { chain, checkpoint, public_key } = verdict;
  const size = checkpoint?.tree_size ?? 0;
  const successions = parseSuccessions(checkpointFile);
  for (const witness of parseCheckpoints(checkpointFile)) {
    const { tree_size, root_hash, at, key_id } = witness;
    const signer = key_id === chain.key_id ? public_key : findRelated(key_id, chain.key_id, successions);
    if (signer === undefined || !isSigned(witness, signer)) {
      return fail(`the stored checkpoint of ${at} was not signed by the bundle's key`);
    }
    if (at <= chain.at && size < tree_size) {
      return fail(`the ledger had ${tree_size} entries at ${at}, but this later export knows ${size}: it was set back`);
    }
    if (size === tree_size && checkpoint?.root_hash !== root_hash) {
      return fail(`its first ${size} entries differ from those signed at ${at}`);
    }
  }
  return verdict;
}

/**
 * Follows the successions of a checkpoint file from a trusted key to its successor; without successions, returns the
 * trusted key.
 */
export function findSuccessor(trusted: string, signer: string, checkpointFile: string): string {
  return findPath(trusted, signer, parseSuccessions(checkpointFile)) ? signer : trusted;
}

/** Returns the public key that precedes or follows the other key. */
function findRelated(key_id: string, other: string, successions: readonly Succession[]): string | undefined {
  const later = findPath(key_id, other, successions)?.[0];
  return later?.public_key ?? findPath(other, key_id, successions)?.at(-1)?.next_public_key;
}

function fail(message: string): Verdict {
  return { isGenuine: false, fault: { kind: "other_history", message } };
}

/** Returns the checkpoints after the last acceptance by an operator; earlier ones no longer count. */
function parseCheckpoints(checkpointFile: string): CheckpointBody[] {
  const read = parseLines(checkpointFile);
  const accepted = read.findLastIndex((line) => "accepted_by" in line);
  return read
    .slice(accepted + 1)
    .filter((line) => !("succession" in line))
    .map((line) => Value.Parse(CheckpointBody, line));
}

/** Returns the successions that both keys have signed. */
function parseSuccessions(checkpointFile: string): Succession[] {
  return parseLines(checkpointFile).flatMap((line) => readSuccession("succession" in line && line.succession) ?? []);
}

function parseLines(checkpointFile: string): object[] {
  const lines = checkpointFile.split("\n").filter((line) => line !== "");
  return lines.map((line) => Value.Parse(Type.Object({}), JSON.parse(line)));
}

function isSigned(checkpoint: CheckpointBody, public_key: string): boolean {
  const message = Buffer.from(formatCheckpoint(checkpoint));
  return verifyEd25519(Buffer.from(public_key, "hex"), message, Buffer.from(checkpoint.signature, "hex"));
}

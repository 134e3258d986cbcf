import { readFile } from "node:fs/promises";
import type { Terminal } from "@kit/config/commands";
import Type from "typebox";
import Value from "typebox/value";
import {
  compareWithCheckpoints,
  findSuccessor,
  formatVerdict,
  misfitIn,
  readUploadedFile,
  verifyBundle,
} from "../../cases/module.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import { formatProofVerdict, isModeProof, verifyProof } from "../../reporting/module.ts";

const USAGE =
  "manara-soc verify <bundle.json, report.json or proof.json> [key id that you trust] [ledger-checkpoints.ndjson]";
const Signed = Type.Object({ chain: Type.Object({ key_id: Type.String() }) });
const KEY_ID = /^[0-9a-f]{64}$/;

/**
 * Returns the exit code. 0: genuine; 1: not genuine; 2: unverifiable, because the file cannot be read or is not a
 * bundle.
 */
export async function runVerify(
  [command, path, ...others]: readonly string[],
  { write, writeError }: Terminal,
): Promise<0 | 1 | 2> {
  const trustedKeyId = others.find((other) => KEY_ID.test(other));
  const witnessPath = others.find((other) => !KEY_ID.test(other));
  if (command !== "verify" || path === undefined) {
    writeError(`${USAGE}\n`);
    return 2;
  }
  try {
    const witnesses = witnessPath === undefined ? "" : await readFile(witnessPath, "utf8");
    const given = readUploadedFile(await readFile(path, "utf8"), isModeProof);
    if (given.state === "other") {
      writeError(`NOT A BUNDLE: ${path} was not verified: ${given.why}.\n`);
      return 2;
    }
    const { isGenuine, text } = await judge(given.file, witnesses, trustedKeyId);
    write(`${text}\n`);
    if (given.isReport) {
      write("This is the verdict on the bundle in the report; the words of the report are not signed.\n");
    }
    if (isGenuine && trustedKeyId === undefined) {
      write("Compare the key with the one that the operator of the platform gave you.\n");
    }
    return isGenuine ? 0 : 1;
  } catch (error) {
    writeError(`cannot read the file: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function judge(
  file: unknown,
  witnesses: string,
  trustedKeyId?: string,
): Promise<{ isGenuine: boolean; text: string }> {
  if (isModeProof(file)) {
    const verdict = verifyProof(file, trustedKeyId);
    return { isGenuine: verdict.isGenuine, text: formatProofVerdict(verdict) };
  }
  // The successions in the file lead from a trusted key to later ones.
  const claimed = readSigner(file);
  const trusted = trustedKeyId && claimed ? findSuccessor(trustedKeyId, claimed, witnesses) : trustedKeyId;
  const verdict = compareWithCheckpoints(await verifyBundle(file, { sha256, verifyEd25519 }, trusted), witnesses);
  return { isGenuine: verdict.isGenuine, text: formatVerdict(verdict) };
}

/** The key with which a bundle claims to be signed. */
function readSigner(file: unknown): string | undefined {
  const misfit = misfitIn(file);
  return misfit === undefined ? Value.Parse(Signed, file).chain.key_id : undefined;
}

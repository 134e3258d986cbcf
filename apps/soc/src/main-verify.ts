#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import process from "node:process";
import { sha256, verifyEd25519 } from "./ledger/digest.ts";
import { verifyBundle, wordsOf } from "./ledger/verify.ts";
import { isModeProof, proofWordsOf, verifyProof } from "./outbound/verify-proof.ts";

const USAGE = "manara-soc verify <bundle.json or proof.json> [key id that you trust]";

/** 0: genuine; 1: not genuine; 2: not verified at all. */
async function verify([command, path, trustedKeyId]: readonly string[]): Promise<0 | 1 | 2> {
  if (command !== "verify" || path === undefined) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const { isGenuine, words } = await judge(JSON.parse(await readFile(path, "utf8")), trustedKeyId);
    process.stdout.write(`${words}\n`);
    if (isGenuine && trustedKeyId === undefined) {
      process.stdout.write("Compare the key with the one that you were given by the platform's operator.\n");
    }
    return isGenuine ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function judge(file: unknown, trustedKeyId?: string): Promise<{ isGenuine: boolean; words: string }> {
  if (isModeProof(file)) {
    const verdict = verifyProof(file, trustedKeyId);
    return { isGenuine: verdict.isGenuine, words: proofWordsOf(verdict) };
  }
  const verdict = await verifyBundle(file, { sha256, verifyEd25519 }, trustedKeyId);
  return { isGenuine: verdict.isGenuine, words: wordsOf(verdict) };
}

process.exitCode = await verify(process.argv.slice(2));

#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import process from "node:process";
import { sha256, verifyEd25519 } from "./ledger/digest.ts";
import { verifyBundle, wordsOf } from "./ledger/verify.ts";

const USAGE = "manara-soc verify <bundle.json> [key id that you trust]";

/** 0: genuine; 1: not genuine; 2: not verified at all. */
async function verify([command, path, trustedKeyId]: readonly string[]): Promise<0 | 1 | 2> {
  if (command !== "verify" || path === undefined) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const bundle: unknown = JSON.parse(await readFile(path, "utf8"));
    const verdict = await verifyBundle(bundle, { sha256, verifyEd25519 }, trustedKeyId);
    process.stdout.write(`${wordsOf(verdict)}\n`);
    if (verdict.isGenuine && trustedKeyId === undefined) {
      process.stdout.write("Compare the key with the one that you were given by the platform's operator.\n");
    }
    return verdict.isGenuine ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

process.exitCode = await verify(process.argv.slice(2));

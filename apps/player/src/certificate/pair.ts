import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import { readIfExists, writeDurably } from "../storage/durable-file.ts";

/** A certificate and the key that belongs to it, both in PEM. */
export interface Pair {
  key: string;
  cert: string;
}

const Kept = Type.Object({ key: Type.String(), cert: Type.String() });

/** The stored pair; undefined when there is none or it is not usable. */
export async function readPair(path: string, log: Pick<Log, "warn">): Promise<Pair | undefined> {
  const text = await readIfExists(path);
  if (text === undefined) return undefined;
  try {
    const { key, cert } = Value.Parse(Kept, JSON.parse(text));
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { key, cert };
    throw new Error("key and certificate do not belong together");
  } catch (error) {
    log.warn({ path, err: error }, "broken certificate replaced");
    return undefined;
  }
}

/**
 * One file for both, so that a key and a certificate that do not match never exist side by side. A pair that the storage
 * refuses is used until the next start.
 */
export async function savePair(path: string, pair: Pair, log: Pick<Log, "warn">): Promise<Pair> {
  try {
    await writeDurably(path, JSON.stringify(pair));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error }, "saving the certificate failed");
  }
  return pair;
}

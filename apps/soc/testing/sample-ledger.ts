import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { createFakeClock } from "@kit/clock/fake";
import { nextEntry } from "../src/ledger/chain.ts";
import type { EntryBody } from "../src/ledger/ledger.schema.ts";
import { createLedgerService, type LedgerService } from "../src/ledger/ledger.service.ts";
import type { LedgerKey } from "../src/ledger/ledger-key.store.ts";
import { createShowcaseLedgerStore } from "../src/ledger/showcase-ledger.store.ts";

export const CASE = "0197f000-0000-7000-8000-000000000001";
export const OTHER_CASE = "0197f000-0000-7000-8000-000000000002";

export function createSampleKey(): LedgerKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  return {
    key_id: createHash("sha256").update(raw).digest("hex"),
    public_key: raw.toString("hex"),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("hex"),
  };
}

/** A ledger in memory with two chains that grew side by side, as they do; the second is one entry behind. */
export function createSampleLedger(key: LedgerKey, length: number): LedgerService {
  const one = chainOf(CASE, length);
  const two = chainOf(OTHER_CASE, length - 1);
  const entries = one.flatMap((entry, index) => [entry, ...two.slice(index, index + 1)]);
  const store = createShowcaseLedgerStore(entries, key);
  const runtime = { choose: async <Source>(sources: { showcase: Source }) => sources.showcase };
  return createLedgerService({ runtime, stores: { database: store, showcase: store }, key, clock: createFakeClock() });
}

function chainOf(case_id: string, length: number): EntryBody[] {
  const entries: EntryBody[] = [];
  for (let index = 0; index < length; index += 1) {
    const body = { name: `disk ${index} €`, sha256: "ab".repeat(32), size_bytes: index * 1.5, tags: ["disk", null] };
    const made = {
      case_id,
      kind: "evidence.created",
      actor: `analyst-${index % 7}`,
      at: "2026-01-01T00:00:00.000Z",
      body,
    };
    entries.push(nextEntry(entries.at(-1), made));
  }
  return entries;
}

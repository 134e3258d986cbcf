import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import { createSampleKey } from "../../../testing/fixtures/sample-ledger.ts";
import type { Facts, OutboundEntry } from "../../foundation/outbound/dispatch.ts";
import { createMemoryOutboundStore } from "../../foundation/outbound/memory-outbound.store.ts";
import { createRuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { ModeProofBody, ProofQuery } from "./mode-proof.schema.ts";
import { createProofService } from "./mode-proof.service.ts";
import { countTotals, parseRange } from "./proof.ts";
import { formatProofVerdict, isModeProof, verifyProof } from "./verify-proof.ts";

const FACTS: Facts = {
  mode: "dummy",
  kind: "effect",
  destination: "webhook",
  purpose: "tell a channel",
  method: "POST",
  host: "example.org",
  path: "/hook",
  body_sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  body_bytes: 5,
};

const ids = createFakeIds();
const key = createSampleKey();

function entryAt(at: string, outcome: OutboundEntry["outcome"] = "refused"): OutboundEntry {
  return { id: ids.next(), at: new Date(at), ...FACTS, outcome, status: null, of: null };
}

/** A platform in dummy mode that started at the beginning of the year. */
function createMemory({ isAlone = true, hasDatabase = false } = {}) {
  const clock = createFakeClock(new Date("2026-01-01T12:00:00Z"));
  const start = { id: ids.next(), at: new Date("2026-01-01T00:00:00Z"), mode: "dummy" } as const;
  const stores = {
    database: createMemoryOutboundStore({ start, isAlone: true }),
    showcase: createMemoryOutboundStore({ start, isAlone }),
  };
  const runtime = createRuntimeService({ mode: "dummy", database: { isAvailable: async () => hasDatabase } });
  const proofs = createProofService({ runtime, stores, key, clock });
  return { memory: stores.showcase, prove: (query: ProofQuery) => proofs.prove(query) };
}

const DAY = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };

describe("period of a proof", () => {
  it("is parsed with its offset", () => {
    expect(parseRange({ from: "2026-01-01T03:00:00+03:00", to: "2026-02-01T00:00:00Z" })).toEqual({
      from: new Date("2026-01-01T00:00:00Z"),
      to: new Date("2026-02-01T00:00:00Z"),
    });
  });

  it.each([
    ["2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", "from: must be earlier than to"],
    ["2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z", "from: must be earlier than to"],
    ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00.001Z", "to: must be at most 31 days after from"],
    ["2026-06-30T23:59:60Z", "2026-07-02T00:00:00Z", "from: '2026-06-30T23:59:60Z' is not a valid time"],
  ])("is refused from %s to %s", (from, to, why) => {
    expect(() => parseRange({ from, to })).toThrow(why);
  });
});

it("counts every attempted sending once as sent", () => {
  const at = "2026-01-01T00:00:00Z";
  const outcomes = [
    "refused",
    "recorded",
    "recorded",
    "intended",
    "answered",
    "intended",
    "failed",
    "intended",
  ] as const;
  expect(countTotals(outcomes.map((outcome) => entryAt(at, outcome)))).toEqual({ refused: 1, recorded: 2, sent: 3 });
});

describe("proof without a database", () => {
  it("contains the entries of its period", async () => {
    const { memory, prove } = createMemory();
    for (const hour of ["00", "11", "12", "13"]) await memory.append(entryAt(`2026-01-01T${hour}:00:00Z`));
    const { entries, ...proof } = await prove({ from: "2026-01-01T11:00:00Z", to: "2026-01-01T13:00:00Z" });
    expect(entries.map(({ at }) => at)).toEqual(["2026-01-01T11:00:00.000Z", "2026-01-01T12:00:00.000Z"]);
    expect(proof).toMatchObject({
      from: "2026-01-01T11:00:00.000Z",
      to: "2026-01-01T13:00:00.000Z",
      mode: "dummy",
      generated_at: "2026-01-01T12:00:00.000Z",
      is_complete: true,
      starts: [{ at: "2026-01-01T00:00:00.000Z", mode: "dummy" }],
      totals: { refused: 2, recorded: 0, sent: 0 },
      key_id: key.key_id,
      public_key: key.public_key,
    });
  });

  it("is incomplete for a time before the process started", async () => {
    const { prove } = createMemory();
    expect(await prove({ ...DAY, from: "2025-12-31T23:59:59.999Z" })).toMatchObject({ is_complete: false });
  });

  it("reports dropped entries of its period", async () => {
    const { memory, prove } = createMemory();
    await memory.append(entryAt("2026-01-01T01:00:00Z"));
    for (let i = 0; i < 9999; i += 1) await memory.append(entryAt("2026-01-01T02:00:00Z"));
    expect(await prove(DAY)).toMatchObject({ is_complete: true, totals: { refused: 10_000 } });
    await memory.append(entryAt("2026-01-01T03:00:00Z"));
    const { is_complete, entries } = await prove(DAY);
    expect(is_complete).toBe(false);
    expect(entries).toHaveLength(10_000);
    expect(await prove({ ...DAY, from: "2026-01-01T01:00:00Z" })).toMatchObject({ is_complete: false });
    expect(await prove({ ...DAY, from: "2026-01-01T01:00:00.001Z" })).toMatchObject({ is_complete: true });
  });

  it("is incomplete while an unreachable database may have more entries", async () => {
    expect(await createMemory({ isAlone: false }).prove(DAY)).toMatchObject({ is_complete: false });
  });

  it("is incomplete when memory has entries that the recovered database lacks", async () => {
    const { memory, prove } = createMemory({ hasDatabase: true });
    expect(await prove(DAY)).toMatchObject({ is_complete: true });
    await memory.append(entryAt("2026-01-01T01:00:00Z"));
    expect(await prove(DAY)).toMatchObject({ is_complete: false });
  });
});

describe("proof verifier", () => {
  async function createProof(): Promise<ModeProofBody> {
    const { memory, prove } = createMemory();
    for (const minute of [1, 2, 3]) await memory.append(entryAt(`2026-01-01T00:0${minute}:00Z`));
    return JSON.parse(JSON.stringify(await prove(DAY)));
  }

  it("accepts an unchanged proof with its fields in any order and describes it", async () => {
    const proof = await createProof();
    const verdict = verifyProof(Object.fromEntries(Object.entries(proof).toReversed()), key.key_id);
    expect(formatProofVerdict(verdict)).toBe(
      "GENUINE: from 2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z, as known at 2026-01-01T12:00:00.000Z " +
        `in mode dummy: 0 sent, 0 only recorded, 3 refused. Signed by key ${key.key_id}`,
    );
  });

  it.each<[string, (proof: ModeProofBody) => unknown]>([
    ["a changed entry", (proof) => Object.assign(proof.entries[1] ?? {}, { host: "other.example.org" })],
    ["a removed entry", (proof) => proof.entries.splice(1, 1)],
    ["swapped entries", (proof) => proof.entries.reverse()],
    ["a changed start of the range", (proof) => Object.assign(proof, { from: "2025-12-01T00:00:00.000Z" })],
    ["a changed end of the range", (proof) => Object.assign(proof, { to: "2026-01-03T00:00:00.000Z" })],
    ["another mode", (proof) => Object.assign(proof, { mode: "real" })],
    ["another completeness", (proof) => Object.assign(proof, { is_complete: false })],
    ["changed totals", (proof) => Object.assign(proof.totals, { refused: 2 })],
    ["a removed start", (proof) => proof.starts.pop()],
    ["a field of its own", (proof) => Object.assign(proof, { verdict: "harmless" })],
  ])("detects %s", async (_what, change) => {
    const proof = await createProof();
    change(proof);
    expect(verifyProof(proof)).toEqual({
      isGenuine: false,
      message: "the proof was changed: its signature does not match",
    });
  });

  it("detects another key, including one that signs its own proof", async () => {
    const proof = await createProof();
    const other = createSampleKey();
    expect(formatProofVerdict(verifyProof(proof, other.key_id))).toBe(
      `NOT GENUINE: the proof is signed by key ${key.key_id}, not by the trusted one`,
    );
    expect(verifyProof({ ...proof, public_key: other.public_key })).toMatchObject({
      message: "public_key is not the key that the proof names in key_id",
    });
  });

  it.each([null, "text", {}, { format: "manara-soc-ledger-1" }])("rejects %j as a proof", (file) => {
    expect(isModeProof(file)).toBe(false);
    expect(verifyProof(file)).toEqual({ isGenuine: false, message: "the file is not a proof of the mode" });
  });

  it("recognises a proof by its format", async () => {
    expect(isModeProof(await createProof())).toBe(true);
  });
});

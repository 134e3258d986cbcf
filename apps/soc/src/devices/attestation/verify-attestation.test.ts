import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMeasuredDevice } from "../../../testing/fixtures/measured-device.ts";
import { createSoftwareSigner } from "../../../testing/fixtures/software-signer.ts";
import type { AttestationAnswer, Measurement } from "./attestation-answer.schema.ts";
import type { CatalogEntry } from "./firmware-match.ts";
import type { ClockInfo } from "./tpm/attest.ts";
import {
  type AskedAttestation,
  type AttestationHistory,
  type AttestedDevice,
  judgeAttestation,
} from "./verify-attestation.ts";

const [GOOD, BAD, OTHER] = ["aa", "bb", "cc"].map((pair) => pair.repeat(32)) as [string, string, string];
const PCRS = { "0": GOOD, "4": GOOD, "7": OTHER };
const CATALOG: readonly CatalogEntry[] = [
  {
    id: "1",
    version: "2.4.1",
    hash: GOOD,
    pcrs: { "0": GOOD, "4": GOOD },
    sbom_components: [
      { name: "linux", version: "6.12.48" },
      { name: "mpv", version: "0.35.1" },
    ],
    known_good: true,
  },
  { id: "2", version: "2.3.0", hash: BAD, pcrs: { "0": BAD, "4": GOOD }, sbom_components: [], known_good: false },
];
const DEADLINE = new Date("2026-11-16T12:01:00Z");
const at = (second: number) => new Date(Date.parse("2026-11-16T12:00:00Z") + 1000 * second);
const ASKED: AskedAttestation = {
  id: "request-1",
  device_id: "device-1",
  nonce: createHash("sha256").update("asked").digest(),
  selection: [0, 4, 7],
  deadline: DEADLINE,
};
const NEW: AttestationHistory = { clockInfo: undefined, boots: [], clone: null };

const signer = createSoftwareSigner();
const player = createMeasuredDevice();
const withTpm: AttestedDevice = {
  attestationKey: { area: signer.key, qualifiedNames: signer.qualifiedNames },
  deviceKey: player.publicKey,
  history: NEW,
};
const withoutTpm: AttestedDevice = { ...withTpm, attestationKey: null };

function quote(pcrs: Record<string, string> = PCRS, clockInfo?: ClockInfo): AttestationAnswer {
  const given = signer.quote(ASKED, pcrs, clockInfo ? { clockInfo } : {});
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  return { request_id: ASKED.id, kind: "tpm", quote: encode(given.quote), signature: encode(given.signature), pcrs };
}

const MEASURED: Measurement = {
  device_id: ASKED.device_id,
  request_id: ASKED.id,
  nonce: ASKED.nonce instanceof Buffer ? ASKED.nonce.toString("hex") : "",
  firmware: { version: "2.4.1", hash: GOOD },
  boot: { id: "boot-1", uptime_ms: 5000 },
  slots: [
    { name: "rootfs.0", is_booted: true, hash: GOOD },
    { name: "rootfs.1", is_booted: false, hash: null },
  ],
  components: [
    { name: "mpv", version: "0.35.1" },
    { name: "linux", version: "6.12.48" },
  ],
};

function judge(answer: AttestationAnswer | undefined, device: AttestedDevice, second = 1, catalog = CATALOG) {
  const judged = judgeAttestation(ASKED, answer && { answer, at: at(second) }, device, catalog);
  return { ...judged, codes: judged.reasons.map(({ code }) => code) };
}

describe("attestation with a TPM", () => {
  it("trusts PCR values of good firmware", () => {
    expect(judge(quote(), withTpm)).toMatchObject({
      kind: "tpm",
      verdict: "trusted",
      codes: [],
      firmware: { version: "2.4.1", hash: GOOD },
    });
  });

  it.each([
    ["unknown PCR values", { ...PCRS, "4": OTHER }, "firmware_unknown"],
    ["the values of bad firmware", { ...PCRS, "0": BAD }, "firmware_not_good"],
  ])("does not trust a device with %s", (_, pcrs, code) => {
    expect(judge(quote(pcrs), withTpm)).toMatchObject({ verdict: "untrusted", codes: [code] });
  });

  it("selects the most specific catalog entry, and the bad one of two equally specific entries", () => {
    const [first] = CATALOG;
    if (!first) throw new Error("the catalog has entries");
    const narrow = { ...first, id: "0", hash: OTHER, pcrs: { "0": GOOD } };
    const twin = { ...first, id: "9", known_good: false };
    expect(judge(quote(), withTpm, 1, [narrow, first]).firmware?.hash).toBe(GOOD);
    expect(judge(quote(), withTpm, 1, [first, twin]).codes).toEqual(["firmware_not_good"]);
    expect(judge(quote(), withTpm, 1, [{ ...first, pcrs: {} }]).codes).toEqual(["firmware_unknown"]);
  });

  it("never accepts a software attestation", () => {
    expect(judge(player.answer(MEASURED), withTpm)).toMatchObject({
      kind: "tpm",
      verdict: "failed",
      codes: ["other_kind"],
    });
  });

  it("treats a device as a clone permanently after its counters went back", () => {
    const clock = (resetCount: number): ClockInfo => ({ clock: 9000n, resetCount, restartCount: 0, safe: true });
    const first = judge(quote(PCRS, clock(6)), withTpm);
    expect(first.verdict).toBe("trusted");
    const second = judge(quote(PCRS, clock(5)), { ...withTpm, history: first.history });
    expect(second).toMatchObject({ verdict: "untrusted", codes: ["counter_back", "clone"] });
    const third = judge(quote(PCRS, clock(6)), { ...withTpm, history: second.history });
    expect(third).toMatchObject({ verdict: "untrusted", codes: ["clone"] });
  });

  it("keeps the counters when an answer proves nothing", () => {
    const history = { ...NEW, clockInfo: { clock: 1n, resetCount: 1, restartCount: 0, safe: true } };
    const forged = { ...quote(), request_id: ASKED.id, signature: "AAAA" };
    expect(judge(forged, { ...withTpm, history })).toMatchObject({ verdict: "failed", history });
  });
});

describe("attestation without a TPM", () => {
  it("trusts, as software, a measurement of good firmware with all its components", () => {
    expect(judge(player.answer(MEASURED), withoutTpm)).toMatchObject({
      kind: "software",
      verdict: "trusted",
      codes: [],
      firmware: { version: "2.4.1", hash: GOOD },
    });
  });

  it("trusts slots that were written at the factory and have no hash", () => {
    const slots = MEASURED.slots.map((slot) => ({ ...slot, hash: null }));
    expect(judge(player.answer({ ...MEASURED, slots }), withoutTpm)).toMatchObject({ verdict: "trusted", codes: [] });
  });

  it("never accepts a quote, even with a valid signature", () => {
    expect(judge(quote(), withoutTpm)).toMatchObject({ kind: "software", verdict: "failed", codes: ["other_kind"] });
  });

  const [linux] = MEASURED.components.slice(1);
  it.each<[string, Partial<Measurement>, string[]]>([
    ["other firmware", { firmware: { version: "2.4.1", hash: OTHER }, slots: [] }, ["firmware_unknown"]],
    ["bad firmware", { firmware: { version: "2.3.0", hash: BAD }, slots: [], components: [] }, ["firmware_not_good"]],
    ["a component that is missing", { components: linux ? [linux] : [] }, ["component_differs"]],
    [
      "a component that was added",
      { components: [...MEASURED.components, { name: "x", version: "1" }] },
      ["component_differs"],
    ],
    [
      "a component of another version",
      { components: [{ name: "mpv", version: "0.36" }, ...(linux ? [linux] : [])] },
      ["component_differs"],
    ],
    [
      "another firmware in the booted slot",
      { slots: [{ name: "rootfs.0", is_booted: true, hash: BAD }] },
      ["slot_unknown"],
    ],
    [
      "two booted slots",
      { slots: MEASURED.slots.map((slot) => ({ ...slot, is_booted: true, hash: null })) },
      ["slot_unknown"],
    ],
    [
      "an unknown firmware in the other slot",
      { slots: [...MEASURED.slots.slice(0, 1), { name: "rootfs.1", is_booted: false, hash: OTHER }] },
      ["slot_unknown"],
    ],
  ])("does not trust a device with %s", (_, changes, codes) => {
    expect(judge(player.answer({ ...MEASURED, ...changes }), withoutTpm)).toMatchObject({
      verdict: "untrusted",
      codes,
    });
  });

  it.each<[string, Partial<Measurement>, string]>([
    ["an old nonce", { nonce: OTHER }, "other_nonce"],
    ["another device", { device_id: "device-2" }, "other_device"],
  ])("fails an answer with %s", (_, changes, code) => {
    expect(judge(player.answer({ ...MEASURED, ...changes }), withoutTpm)).toMatchObject({
      verdict: "failed",
      codes: [code],
    });
  });

  it("fails an answer with the key of another device or without a valid certificate", () => {
    const answer = player.answer(MEASURED);
    const { publicKey } = createMeasuredDevice();
    expect(judge(answer, { ...withoutTpm, deviceKey: publicKey }).codes).toEqual(["wrong_signature"]);
    expect(judge(answer, { ...withoutTpm, deviceKey: undefined }).codes).toEqual(["wrong_signature"]);
  });

  it("fails an answer with any flipped bit in its measurement or signature", () => {
    const answer = player.answer(MEASURED);
    const flips: AttestationAnswer[] = [];
    for (const field of ["measurement", "signature"] as const) {
      const bytes = Buffer.from(answer[field], "latin1");
      for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        flips.push({ ...answer, [field]: flipped.toString("latin1") });
      }
    }
    expect(flips.filter((flipped) => judge(flipped, withoutTpm).verdict !== "failed")).toEqual([]);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "null"],
    ["a field too many", JSON.stringify({ ...MEASURED, kind: "tpm" })],
  ])("fails a signed measurement of %s", (_, text) => {
    const answer = { ...player.answer(MEASURED), ...player.signText(text) };
    expect(judge(answer, withoutTpm)).toMatchObject({ verdict: "failed", codes: ["malformed"] });
  });

  it("treats a device as a clone permanently after two boots answered alternately", () => {
    const buildAnswer = (id: string, uptime_ms: number) => player.answer({ ...MEASURED, boot: { id, uptime_ms } });
    const first = judge(buildAnswer("boot-1", 5000), withoutTpm, 1);
    const second = judge(buildAnswer("boot-2", 0), { ...withoutTpm, history: first.history }, 20);
    expect(second.verdict).toBe("trusted");
    const third = judge(buildAnswer("boot-1", 45_000), { ...withoutTpm, history: second.history }, 40);
    expect(third).toMatchObject({ verdict: "untrusted", codes: ["clone"] });
    const fourth = judge(buildAnswer("boot-1", 46_000), { ...withoutTpm, history: third.history }, 41);
    expect(fourth).toMatchObject({ verdict: "untrusted", codes: ["clone"] });
  });
});

describe("attestation in time", () => {
  it.each([
    ["without an answer", undefined, 0, "no_answer"],
    ["with an answer after the deadline", quote(), 61, "late_answer"],
  ])("is stale %s", (_, answer, second, code) => {
    expect(judge(answer, withTpm, second)).toMatchObject({ verdict: "stale", codes: [code], history: NEW });
  });

  it("fails an answer that names another request", () => {
    expect(judge({ ...quote(), request_id: "request-2" }, withTpm).codes).toEqual(["other_nonce"]);
  });
});

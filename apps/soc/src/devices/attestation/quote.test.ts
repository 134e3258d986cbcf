import { createHash } from "node:crypto";
import process from "node:process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flipEveryBit } from "../../../testing/fixtures/flipped-quotes.ts";
import { readRecordings } from "../../../testing/fixtures/recorded-quotes.ts";
import { createSoftwareSigner } from "../../../testing/fixtures/software-signer.ts";
import { type ExpectedQuote, type GivenQuote, verifyQuote } from "./quote.ts";
import { type ClockInfo, parseQuote, type Quote } from "./tpm/attest.ts";
import { ATTRIBUTES, type Attribute, toKeyObject } from "./tpm/public-area.ts";
import { isSignedBy, parseSignature } from "./tpm/signature.ts";

// Every bit with PROVE=full; the step is prime, so that each bit of a byte is met.
const EVERY = process.env.PROVE === "full" ? 1 : 11;
const recordings = readRecordings();
const listCodes = (given: GivenQuote, expected: ExpectedQuote) =>
  verifyQuote(given, expected).reasons.map(({ code }) => code);

describe.each(["ecdsa", "rsassa", "rsapss"] as const)("recorded TPM quote with %s", (scheme) => {
  const { given, expected } = recordings[scheme];

  it("verifies a genuine quote", () => {
    expect(verifyQuote(given, expected)).toMatchObject({ isGenuine: true, reasons: [] });
  });

  it("refuses a quote with any flipped bit", () => {
    let [flips, accepted] = [0, 0];
    for (const flipped of flipEveryBit(given)) {
      flips += 1;
      if (flips % EVERY === 0 && verifyQuote(flipped, expected).isGenuine) accepted += 1;
    }
    const bytes = given.quote.length + given.signature.length + 4 * 32;
    expect({ flips, accepted }).toEqual({ flips: 8 * bytes + 2, accepted: 0 });
  }, 120_000);

  it("refuses a quote signed by another key of the same kind", () => {
    const other = createSoftwareSigner();
    expect(listCodes(given, { ...expected, key: other.key })).toEqual(["wrong_signature"]);
    expect(listCodes(given, { ...expected, qualifiedNames: other.qualifiedNames })).toEqual(["other_signer"]);
  });
});

describe("quotes signed by an unrestricted key", () => {
  it("have a valid signature and are refused only because of the key", () => {
    const { given, expected } = recordings.forged;
    expect(isSignedBy(toKeyObject(expected.key), given.quote, parseSignature(given.signature))).toBe(true);
    expect(verifyQuote(given, expected).reasons).toEqual([
      { code: "key_not_acceptable", message: "the attestation key must be restricted" },
    ]);
  });
});

const signer = createSoftwareSigner();
const PCRS = { "0": "11".repeat(32), "7": "22".repeat(32) };
const ASKED: ExpectedQuote = {
  key: signer.key,
  qualifiedNames: signer.qualifiedNames,
  nonce: createHash("sha256").update("asked").digest(),
  selection: [0, 7],
  last: undefined,
};

describe("quotes with a valid signature", () => {
  it("are genuine when they match the request", () => {
    expect(listCodes(signer.quote(ASKED, PCRS), ASKED)).toEqual([]);
  });

  const digest = createHash("sha256").update("other").digest();
  it.each<[string, Partial<Quote>, string]>([
    ["of another origin than a TPM", { magic: 0xff54_4348 }, "not_generated"],
    ["about a certified key", { type: 0x8017 }, "not_a_quote"],
    ["by another signer", { qualifiedSigner: Buffer.concat([Buffer.from("000b", "hex"), digest]) }, "other_signer"],
    ["with an old nonce", { extraData: digest }, "other_nonce"],
    ["with a nonce that is cut off", { extraData: ASKED.nonce.subarray(0, 31) }, "other_nonce"],
    ["about fewer PCRs", { pcrSelection: [0] }, "other_pcr_selection"],
    ["about more PCRs", { pcrSelection: [0, 7, 8] }, "other_pcr_selection"],
    ["about no PCR", { pcrSelection: [] }, "other_pcr_selection"],
    ["about other values", { pcrDigest: digest }, "other_pcr_values"],
  ])("are refused %s", (_, changes, code) => {
    expect(listCodes(signer.quote(ASKED, PCRS, changes), ASKED)).toEqual([code]);
  });

  it.each<[string, Record<string, string>]>([
    ["one is missing", { "0": PCRS[0] }],
    ["one is added", { ...PCRS, "8": PCRS[0] }],
    ["one is not of its length", { ...PCRS, "7": "22".repeat(31) }],
    ["two are exchanged", { "0": PCRS[7], "7": PCRS[0] }],
  ])("are refused when of the PCR values %s", (_, pcrs) => {
    expect(listCodes({ ...signer.quote(ASKED, PCRS), pcrs }, ASKED)).toEqual(["other_pcr_values"]);
  });

  it.each<[Attribute, string]>([
    ["restricted", "the attestation key must be restricted"],
    ["fixedTPM", "the attestation key must be fixedTPM"],
    ["fixedParent", "the attestation key must be fixedParent"],
    ["sensitiveDataOrigin", "the attestation key must be sensitiveDataOrigin"],
    ["sign", "the attestation key must be sign"],
    ["decrypt", "the attestation key must not be decrypt"],
    ["x509sign", "the attestation key must not be x509sign"],
  ])("are refused when the key differs in %s", (attribute, message) => {
    const key = { ...signer.key, attributes: signer.key.attributes ^ ATTRIBUTES[attribute] };
    const { reasons } = verifyQuote(signer.quote(ASKED, PCRS), { ...ASKED, key });
    expect(reasons).toEqual([{ code: "key_not_acceptable", message }]);
  });

  const clock = (resetCount: number, restartCount: number, at: number, safe = true): ClockInfo => ({
    clock: BigInt(at),
    resetCount,
    restartCount,
    safe,
  });
  // Part 1, section 36: the clock continues over resets; without an orderly shutdown, up to 2^22 ms of it are lost.
  it.each([
    ["the same instant", clock(5, 1, 9_000_000), clock(5, 1, 9_000_000), []],
    ["a later instant", clock(5, 1, 9_000_000), clock(5, 1, 9_000_001), []],
    ["a later boot", clock(5, 1, 9_000_000), clock(6, 0, 9_000_001), []],
    ["a later resume", clock(5, 1, 9_000_000), clock(5, 2, 9_000_001), []],
    ["a later boot after a power cut", clock(5, 1, 9_000_000), clock(6, 0, 9_000_000 - 4_194_304, false), []],
    ["an earlier instant", clock(5, 1, 9_000_000), clock(5, 1, 8_999_999), ["counter_back"]],
    ["an earlier instant, unsafe", clock(5, 1, 9_000_000), clock(5, 1, 8_999_999, false), ["counter_back"]],
    ["an earlier boot", clock(5, 1, 9_000_000), clock(4, 9, 9_000_001), ["counter_back"]],
    ["an earlier resume", clock(5, 1, 9_000_000), clock(5, 0, 9_000_001), ["counter_back"]],
    ["a later boot with a safe, earlier clock", clock(5, 1, 9_000_000), clock(6, 0, 8_999_999), ["counter_back"]],
    ["a later boot that lost more", clock(5, 1, 9_000_000), clock(6, 0, 4_805_695, false), ["counter_back"]],
  ])("are compared with the last quote: %s", (_, last, clockInfo, codes) => {
    expect(listCodes(signer.quote(ASKED, PCRS, { clockInfo }), { ...ASKED, last })).toEqual(codes);
  });

  it("are refused with a selection of another bank or of two banks", () => {
    const bytes = Buffer.from(signer.quote(ASKED, PCRS).quote);
    const place = bytes.indexOf(Buffer.from("00000001000b03", "hex"));
    const sha1 = Buffer.from(bytes);
    sha1.writeUInt16BE(0x0004, place + 4);
    const two = Buffer.concat([
      bytes.subarray(0, place),
      Buffer.from("00000002", "hex"),
      bytes.subarray(place + 4, place + 10),
      Buffer.from("000403ffffff", "hex"),
      bytes.subarray(place + 10),
    ]);
    for (const changed of [sha1, two])
      expect(listCodes({ ...signer.signBytes(changed), pcrs: PCRS }, ASKED)).toEqual(["malformed"]);
  });
});

describe("hostile quote bytes", () => {
  const bytes = fc.uint8Array({ maxLength: 400 });

  it("are refused with reasons and never throw", () => {
    const pcrs = fc.dictionary(fc.string({ maxLength: 3 }), fc.string({ maxLength: 70 }));
    fc.assert(
      fc.property(bytes, bytes, pcrs, (quote, signature, values) => {
        expect(listCodes({ quote, signature, pcrs: values }, ASKED)).not.toEqual([]);
      }),
    );
  });

  it("are refused with reasons even when the key has signed them", () => {
    const header = Buffer.from("ff5443478018", "hex");
    fc.assert(
      fc.property(bytes, (rest) => {
        const signed = signer.signBytes(Buffer.concat([header, rest]));
        expect(listCodes({ ...signed, pcrs: PCRS }, ASKED)).not.toEqual([]);
      }),
    );
  });
});

describe("time of a quote verification", () => {
  it.each(["ecdsa", "rsassa", "rsapss"] as const)("is below a millisecond with %s", (scheme) => {
    const { given, expected } = recordings[scheme];
    const times = Array.from({ length: 400 }, () => {
      const start = performance.now();
      verifyQuote(given, expected);
      return performance.now() - start;
    });
    expect(times.toSorted((a, b) => a - b)[200]).toBeLessThan(1);
  });
});

describe("clock of a quote", () => {
  it("is the clock of the TPM", () => {
    const { given } = recordings.ecdsa;
    expect(parseQuote(given.quote).clockInfo).toMatchObject({ resetCount: 1, restartCount: 0, safe: true });
  });
});

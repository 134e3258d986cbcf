import { createHash, type KeyObject } from "node:crypto";
import { Problem } from "@kit/problem";
import { findAttestationKeyFault } from "./key-requirements.ts";
import type { Reason, ReasonCode } from "./reason.ts";
import { type ClockInfo, type PcrSelection, parseQuote, type Quote } from "./tpm/attest.ts";
import { type PublicArea, toKeyObject } from "./tpm/public-area.ts";
import { isSignedBy, parseSignature, type TpmSignature } from "./tpm/signature.ts";

/** PCR values in lower-case hexadecimal, by PCR number. */
export type PcrValues = Readonly<Record<string, string>>;

export interface GivenQuote {
  /** TPMS_ATTEST. */
  quote: Uint8Array;
  /** TPMT_SIGNATURE. */
  signature: Uint8Array;
  pcrs: PcrValues;
}

export interface ExpectedQuote {
  key: PublicArea;
  /** The possible qualified names of the key; empty if unknown. */
  qualifiedNames: readonly Uint8Array[];
  nonce: Uint8Array;
  selection: PcrSelection;
  /** From the last accepted quote. */
  last: ClockInfo | undefined;
}

export type QuoteResult =
  | { isGenuine: true; clockInfo: ClockInfo; reasons: readonly [] }
  | { isGenuine: false; reasons: readonly Reason[] };

/** Verifies a quote against the request. Hostile input results in reasons, never in an exception. */
export function verifyQuote(given: GivenQuote, expected: ExpectedQuote): QuoteResult {
  const parsed = parseGiven(given, expected);
  if ("reason" in parsed) return { isGenuine: false, reasons: [parsed.reason] };
  const { quote } = parsed;
  const reasons = [
    ...findProofFaults(given.quote, parsed, expected),
    ...findPcrFaults(given.pcrs, quote, expected.selection),
    ...findCounterFaults(quote.clockInfo, expected.last),
  ];
  return reasons.length > 0
    ? { isGenuine: false, reasons }
    : { isGenuine: true, clockInfo: quote.clockInfo, reasons: [] };
}

interface ParsedQuote {
  quote: Quote;
  signature: TpmSignature;
  publicKey: KeyObject;
}

const NAMED_CODES: ReadonlySet<string> = new Set<ReasonCode>(["not_generated", "not_a_quote"]);

function isNamed(code: string | undefined): code is "not_generated" | "not_a_quote" {
  return code !== undefined && NAMED_CODES.has(code);
}

function parseGiven({ quote, signature }: GivenQuote, { key }: ExpectedQuote): ParsedQuote | { reason: Reason } {
  try {
    return { quote: parseQuote(quote), signature: parseSignature(signature), publicKey: toKeyObject(key) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const code = isNamed(error.code) ? error.code : "malformed";
    return { reason: { code, message: error.message } };
  }
}

function findProofFaults(
  signed: Uint8Array,
  { quote, signature, publicKey }: ParsedQuote,
  expected: ExpectedQuote,
): Reason[] {
  const { key, qualifiedNames, nonce } = expected;
  const reasons: Reason[] = [];
  const keyFault = findAttestationKeyFault(key);
  if (keyFault) reasons.push({ code: "key_not_acceptable", message: keyFault });
  if (signature.scheme !== key.scheme || !isSignedBy(publicKey, signed, signature))
    reasons.push({ code: "wrong_signature", message: "the quote is not signed by the attestation key of the device" });
  if (qualifiedNames.length > 0 && !qualifiedNames.some((name) => isEqual(name, quote.qualifiedSigner)))
    reasons.push({ code: "other_signer", message: "the signer is not below the endorsement key of the device" });
  if (!isEqual(quote.extraData, nonce))
    reasons.push({ code: "other_nonce", message: "the quote answers another request: its nonce differs" });
  return reasons;
}

const PCR_VALUE = /^[0-9a-f]{64}$/;

function findPcrFaults(pcrs: PcrValues, quote: Quote, selection: PcrSelection): Reason[] {
  if (quote.pcrSelection.join() !== selection.join()) {
    const message = `the quote covers PCR ${quote.pcrSelection.join(", ")}, not ${selection.join(", ")}`;
    return [{ code: "other_pcr_selection", message }];
  }
  const values = selection.map((index) => pcrs[index] ?? "");
  if (Object.keys(pcrs).length !== selection.length || !values.every((value) => PCR_VALUE.test(value)))
    return [{ code: "other_pcr_values", message: "pcrs: must have the 64 hex digits of each requested PCR" }];
  const digest = createHash("sha256")
    .update(Buffer.from(values.join(""), "hex"))
    .digest();
  return isEqual(digest, quote.pcrDigest)
    ? []
    : [{ code: "other_pcr_values", message: "pcrs: differ from the values that the TPM signed" }];
}

/**
 * The part of `clock` that a TPM may lose without an orderly shutdown (Part 1, 36.3.2: it is stored at least every 2^22
 * ms).
 */
const MAX_LOST_CLOCK_MS = 1n << 22n;

/** The counters of a TPM only grow: reset, then restart within a reset, then the clock. */
function findCounterFaults(now: ClockInfo, last: ClockInfo | undefined): Reason[] {
  if (!last || !isBack(now, last)) return [];
  const message = `the counters of the TPM went back, from ${formatClock(last)} to ${formatClock(now)}`;
  return [{ code: "counter_back", message }];
}

function isBack(now: ClockInfo, last: ClockInfo): boolean {
  const boots = now.resetCount - last.resetCount || now.restartCount - last.restartCount;
  if (boots < 0) return true;
  const mayHaveLost = boots > 0 && !now.safe ? MAX_LOST_CLOCK_MS : 0n;
  return now.clock + mayHaveLost < last.clock;
}

function formatClock({ resetCount, restartCount, clock }: ClockInfo): string {
  return `reset ${resetCount}, restart ${restartCount}, clock ${clock}`;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

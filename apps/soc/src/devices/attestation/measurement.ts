import { type KeyObject, verify } from "node:crypto";
import Value from "typebox/value";
import { Measurement, type SoftwareAnswer } from "./attestation-answer.schema.ts";
import type { Reason } from "./reason.ts";

export interface ExpectedMeasurement {
  device_id: string;
  request_id: string;
  nonce: Uint8Array;
  /** From a valid certificate of the device. */
  deviceKey: KeyObject;
}

export type MeasurementResult =
  | { isGenuine: true; measurement: Measurement; reasons: readonly [] }
  | { isGenuine: false; reasons: readonly Reason[] };

// Domain separation: what the key signs for TLS or a certificate request never starts with this prefix.
const PREFIX = "manara-software-attestation-1\n";

/** Formats the bytes that a device signs. */
export function formatSigned(measurement: string): Buffer {
  return Buffer.from(PREFIX + measurement);
}

/** Verifies a software measurement against the request. Hostile input results in reasons, never in an exception. */
export function verifyMeasurement(
  { measurement: text, signature }: Pick<SoftwareAnswer, "measurement" | "signature">,
  expected: ExpectedMeasurement,
): MeasurementResult {
  const refuse = (...reasons: Reason[]): MeasurementResult => ({ isGenuine: false, reasons });
  if (!isSigned(text, signature, expected.deviceKey))
    return refuse({ code: "wrong_signature", message: "the measurement is not signed by the key of the device" });
  const measurement = readMeasurement(text);
  if (!measurement) return refuse({ code: "malformed", message: "measurement: does not have the documented fields" });
  const reasons: Reason[] = [];
  if (measurement.device_id !== expected.device_id)
    reasons.push({ code: "other_device", message: "the measurement belongs to another device" });
  if (
    measurement.nonce !== Buffer.from(expected.nonce).toString("hex") ||
    measurement.request_id !== expected.request_id
  )
    reasons.push({ code: "other_nonce", message: "the measurement answers another request: its nonce differs" });
  return reasons.length > 0 ? refuse(...reasons) : { isGenuine: true, measurement, reasons: [] };
}

function isSigned(text: string, signature: string, key: KeyObject): boolean {
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") return false;
  const bytes = parseBase64(signature);
  return bytes !== undefined && verify("sha256", formatSigned(text), { key, dsaEncoding: "ieee-p1363" }, bytes);
}

/** Parses a measurement before its signature is checked; undefined if it is malformed. */
export function readMeasurement(text: string): Measurement | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return Value.Check(Measurement, value) ? value : undefined;
}

/** Accepts only the canonical text for the bytes; undefined for any other. */
export function parseBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

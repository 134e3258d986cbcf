import Type, { type Static } from "typebox";
import Value from "typebox/value";

/** As it arrives on devices/<device_id>/attestation/request. */
const Incoming = Type.Object({
  request_id: Type.String({ minLength: 1, maxLength: 200 }),
  device_id: Type.String(),
  nonce: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  deadline: Type.String({ maxLength: 50 }),
});

/** A request of the platform to report the running software. */
export interface AttestationRequest {
  request_id: string;
  nonce: string;
  /** Epoch seconds. */
  deadline: number;
}

/** Undefined for a message that is not a request to this device. */
export function parseAttestationRequest(payload: Uint8Array, device_id: string): AttestationRequest | undefined {
  const read = parseIncoming(Buffer.from(payload).toString("utf8"));
  if (!read || read.device_id !== device_id) return undefined;
  const deadlineMs = Date.parse(read.deadline);
  if (Number.isNaN(deadlineMs)) return undefined;
  const { request_id, nonce } = read;
  return { request_id, nonce, deadline: Math.ceil(deadlineMs / 1000) };
}

function parseIncoming(text: string): Static<typeof Incoming> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return Value.Check(Incoming, value) ? value : undefined;
}

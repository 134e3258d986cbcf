import type { BrokerMessage } from "../../ports/broker.ts";

/** The reason why a message of a device is dropped. */
export type DropReason = "foreign_topic" | "unacknowledged" | "oversized" | "malformed" | "too_many" | "failed";

export interface DeviceMessage {
  device_id: string;
  kind: "receipt" | "answer";
  /** The parsed JSON. */
  content: unknown;
}

const TOPIC = /^devices\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/attestation\/(receipt|answer)$/;
const MAX_RECEIPT_BYTES = 1000;
/** The limit of the broker. */
const MAX_ANSWER_BYTES = 65_536;

/**
 * Builds the filters with which one of several relays receives each message. The group name must be secret: Mosquitto
 * lets every client join a group by name, and messages that it then may not deliver to that client are lost.
 */
export function buildFilters(group: string): string[] {
  return ["receipt", "answer"].map((kind) => `$share/${group}/devices/+/attestation/${kind}`);
}

export function formatRequestTopic(device_id: string): string {
  return `devices/${device_id}/attestation/request`;
}

/** Returns the device of a topic; the broker lets only this device write to it. */
function parseTopic(topic: string): Pick<DeviceMessage, "device_id" | "kind"> | undefined {
  const [, device_id, kind] = TOPIC.exec(topic) ?? [];
  if (device_id === undefined) return undefined;
  return { device_id, kind: kind === "answer" ? "answer" : "receipt" };
}

/** Parses a message of a device, or returns why it is dropped. */
export function parseMessage({ topic, payload, qos }: BrokerMessage): DeviceMessage | DropReason {
  const named = parseTopic(topic);
  if (!named) return "foreign_topic";
  // The flow-control window does not apply to QoS 0.
  if (qos === 0) return "unacknowledged";
  if (payload.length > (named.kind === "answer" ? MAX_ANSWER_BYTES : MAX_RECEIPT_BYTES)) return "oversized";
  try {
    return { ...named, content: JSON.parse(payload.toString("utf8")) };
  } catch (error) {
    if (error instanceof SyntaxError) return "malformed";
    throw error;
  }
}

/** Returns the request that the device has stored. */
export function readReceipt(content: unknown): string | undefined {
  const isNamed = typeof content === "object" && content !== null && "request_id" in content;
  return isNamed && typeof content.request_id === "string" ? content.request_id : undefined;
}

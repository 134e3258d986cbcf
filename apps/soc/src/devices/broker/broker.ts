import type { Pair } from "../certificates/authority.ts";

export interface BrokerMessage {
  topic: string;
  payload: Buffer;
  qos: 0 | 1 | 2;
}

/** A connection as a client of the broker. It keeps nothing beyond its end. */
export interface BrokerConnection {
  /** Aborts when the connection has ended, for whatever reason. */
  ended: AbortSignal;
  /** Sends with QoS 2. Resolves when the broker has taken it; the broker drops it after its lifetime. */
  publish(topic: string, payload: string, lifetimeSeconds: number): Promise<void>;
  close(): void;
}

/** What a client subscribes to. */
export interface Subscription {
  filters: readonly string[];
  /** The broker sends no more than this many messages that are not acknowledged. */
  window: number;
  /** The message is acknowledged when it resolves. */
  onMessage: (message: BrokerMessage) => Promise<void>;
}

/** The broker of the devices, as far as revocations and the relay need it. Every method ends with the signal. */
export interface Broker {
  /** Its host and port, for the record of what was sent. */
  host: string;
  /** Makes the broker read its files again. */
  reload(signal: AbortSignal): Promise<void>;
  /** Whether the broker refuses this certificate as revoked. */
  refuses(pair: Pair, signal: AbortSignal): Promise<boolean>;
  /** Ends the sessions of these devices, by a certificate that may command the broker. */
  cut(device_ids: readonly string[], pair: Pair, signal: AbortSignal): Promise<void>;
  /** Connects with a subscription, by a certificate that has the rights to it. */
  join(subscription: Subscription, pair: Pair, signal: AbortSignal): Promise<BrokerConnection>;
}

// Clients with the same name end each other's session: each process picks one of several names.
const CONTROL_NAMES = Array.from({ length: 8 }, (_, index) => `soc-control-${index}`);
const RELAY_NAMES = Array.from({ length: 32 }, (_, index) => `soc-relay-${index}`);

export function pickControlName(chance: number): string {
  return CONTROL_NAMES[chance % CONTROL_NAMES.length] ?? "soc-control-0";
}

export function pickRelayName(chance: number): string {
  return RELAY_NAMES[chance % RELAY_NAMES.length] ?? "soc-relay-0";
}

const RELAY_RIGHTS = [
  "topic write devices/+/attestation/request",
  "topic read devices/+/attestation/receipt",
  "topic read devices/+/attestation/answer",
];

/**
 * The rights at the broker. A device reaches only topics below its own id, which is the name in its certificate. A
 * revoked device reaches none: this also holds for a connection that it opened before its revocation and on which it
 * identifies itself afterwards, where the broker checks no revocation list.
 */
export function buildAccessList(revoked: readonly string[]): string {
  const lines = [
    "# Written by Manara SOC. Changes are overwritten.",
    ...CONTROL_NAMES.flatMap((name) => ["", `user ${name}`, "topic readwrite $CONTROL/dynamic-security/#"]),
    ...RELAY_NAMES.flatMap((name) => ["", `user ${name}`, ...RELAY_RIGHTS]),
    "",
    "pattern read devices/%u/attestation/request",
    "pattern write devices/%u/attestation/receipt",
    "pattern write devices/%u/attestation/answer",
    ...revoked.flatMap((id) => ["", `user ${id}`, "topic deny #"]),
  ];
  return `${lines.join("\n")}\n`;
}

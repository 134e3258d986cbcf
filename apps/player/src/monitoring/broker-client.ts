import { Problem } from "@kit/problem";
import type { Identity } from "./enrolment.ts";
import type { PlatformAddress } from "./platform-address.ts";
import { explainFailure, toTls } from "./platform-client.ts";

export interface BrokerOptions {
  address: PlatformAddress;
  identity: Identity;
  /**
   * Called for each message to this device. The broker may forget it when this returns, and keeps the message if it
   * throws.
   */
  onMessage: (payload: Uint8Array) => void;
}

/** One connection to the broker. */
export interface BrokerSession {
  /** Resolves when the broker has received it. */
  publish(name: "receipt" | "answer", payload: string): Promise<void>;
  /** Resolves with the reason when the connection has ended. */
  closed: Promise<Problem>;
  close(): Promise<void>;
}

export type OpenBroker = (options: BrokerOptions) => Promise<BrokerSession>;

const CONNECT_MS = 15_000;
const KEEP_ALIVE_S = 60;
/** A request lives for a minute: nothing that waits longer is useful. */
const SESSION_S = 300;
const MAX_IN_FLIGHT = 10;
/** MQTT 5, section 3.5.2.1: the receiver rejects the message without a reason. */
const NOT_STORED = 131;
const MAX_QOS = 2;

/** Connects to the broker of the platform, by MQTT 5 over TLS 1.3, as the device of the certificate. */
export const openBroker: OpenBroker = async ({ address: { host, port }, identity, onMessage }) => {
  // Loaded with the first enrolment: a device without one pays no cost.
  const { default: mqtt } = await import("mqtt");
  const { device_id, authority, certificate } = identity.enrolment;
  const client = mqtt.connect({
    ...toTls(host),
    ...{ protocol: "mqtts", host, port, ca: authority, cert: certificate, key: identity.key, rejectUnauthorized: true },
    ...{ protocolVersion: 5, clientId: device_id, clean: false, reconnectPeriod: 0, connectTimeout: CONNECT_MS },
    keepalive: KEEP_ALIVE_S,
    properties: { sessionExpiryInterval: SESSION_S, receiveMaximum: MAX_IN_FLIGHT },
    // Store before the acknowledgement (PUBREC): the device never confirms a message that it has not stored.
    customHandleAcks: (_topic, message, _packet, acknowledge) => acknowledge(keepMessage(message, onMessage)),
  });
  let reason: unknown;
  client.on("error", (error) => {
    reason ??= error;
  });
  const closed = new Promise<Problem>((resolve) => {
    client.once("close", () => resolve(reason === undefined ? explainEnd() : explainFailure(reason, "broker")));
  });
  const ended = closed.then((why) => Promise.reject(why));
  // Waits that are over do not handle it.
  ended.catch(() => undefined);
  const close = async () => {
    await client.endAsync(true).catch(() => undefined);
  };
  try {
    await Promise.race([new Promise((resolve) => client.once("connect", resolve)), ended]);
    const topic = `devices/${device_id}/attestation`;
    const [granted] = await Promise.race([client.subscribeAsync(`${topic}/request`, { qos: MAX_QOS }), ended]);
    if ((granted?.qos ?? 0) > MAX_QOS)
      throw new Problem("unavailable", "broker: it does not let this device subscribe");
    return {
      publish: async (name, payload) => {
        await Promise.race([client.publishAsync(`${topic}/${name}`, payload, { qos: 1 }), ended]);
      },
      closed,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

function explainEnd(): Problem {
  return new Problem("unavailable", "broker: the connection was closed", { field: "broker" });
}

function keepMessage(message: Uint8Array, onMessage: (payload: Uint8Array) => void): number {
  try {
    onMessage(message);
    return 0;
  } catch (error) {
    if (error instanceof Problem) return NOT_STORED;
    throw error;
  }
}

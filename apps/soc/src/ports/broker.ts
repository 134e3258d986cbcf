/** A certificate with its private key, both as PEM. */
export interface Pair {
  cert: string;
  key: string;
}

export interface BrokerMessage {
  topic: string;
  payload: Buffer;
  qos: 0 | 1 | 2;
}

/** A connection as a client of the broker. Its session state ends with the connection. */
export interface BrokerConnection {
  /** Aborts when the connection ends, for whatever reason. */
  ended: AbortSignal;
  /** Sends with QoS 2. Resolves when the broker has accepted the message; the broker drops it after its lifetime. */
  publish(topic: string, payload: string, lifetimeSeconds: number): Promise<void>;
  close(): void;
}

/** What a client subscribes to. */
export interface Subscription {
  filters: readonly string[];
  /** The maximum number of unacknowledged messages in flight. */
  window: number;
  /** The message is acknowledged when the returned promise resolves. */
  onMessage: (message: BrokerMessage) => Promise<void>;
}

/**
 * The operations on the device broker that revocations and the relay need. Every method stops when its signal aborts.
 */
export interface Broker {
  /** Its host and port, for the outbound log. */
  host: string;
  /** Makes the broker read its files again. */
  reload(signal: AbortSignal): Promise<void>;
  /** Whether the broker refuses this certificate as revoked. */
  refuses(pair: Pair, signal: AbortSignal): Promise<boolean>;
  /** Ends the sessions of these devices, with a certificate that may administer the broker. */
  cut(device_ids: readonly string[], pair: Pair, signal: AbortSignal): Promise<void>;
  /** Connects and subscribes, with a certificate that has the rights to the topics. */
  join(subscription: Subscription, pair: Pair, signal: AbortSignal): Promise<BrokerConnection>;
}

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

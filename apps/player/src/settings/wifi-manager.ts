export interface WifiNetwork {
  ssid: string;
  /** Empty for an open network. */
  password: string;
}

export interface WifiStatus {
  /** Empty while no network is joined. */
  ssid: string;
  wifi_connected: boolean;
}

/** What the device needs from its radio. Drivers implement it; one contract suite holds for all of them. */
export interface WifiManager {
  /** Rejects with a Problem when there is no radio to work with. */
  start(): Promise<void>;
  close(): void;
  /** As it was last seen. */
  status(): WifiStatus;
  /** Calls back when the status is another one. Returns the function that stops listening. */
  onChange(listener: () => void): () => void;
  knowsAny(): Promise<boolean>;
  /** Resolves when the network is joined and kept; otherwise rejects with a Problem and keeps nothing of it. */
  join(network: WifiNetwork, signal: AbortSignal): Promise<void>;
  /** Goes back to the network of before. Answers false when none is known. */
  rejoin(): Promise<boolean>;
  /** Opens a network of its own, so that a phone can reach the device. The next join or rejoin ends it. */
  openAccessPoint(ssid: string): Promise<void>;
  forgetAll(): Promise<void>;
}

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

/** What the device needs from its radio. Drivers implement it; one contract suite tests all of them. */
export interface WifiManager {
  /** Rejects with a Problem when there is no radio. */
  start(): Promise<void>;
  close(): void;
  /** The last known status. */
  status(): WifiStatus;
  /** Calls back when the status changes. Returns the function that stops listening. */
  onChange(listener: () => void): () => void;
  knowsAny(): Promise<boolean>;
  /** Resolves when the network is joined and saved; otherwise rejects with a Problem and saves nothing. */
  join(network: WifiNetwork, signal: AbortSignal): Promise<void>;
  /** Returns to the previous network. Resolves to false when none is known. */
  rejoin(): Promise<boolean>;
  /** Opens an access point, so that a phone can reach the device. The next join or rejoin closes it. */
  openAccessPoint(ssid: string): Promise<void>;
  forgetAll(): Promise<void>;
}

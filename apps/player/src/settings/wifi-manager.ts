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

/** `wpa`: WPA or WPA2 with a password, also together with WPA3. The device can join the first three. */
export type WifiSecurity = "open" | "wpa" | "wpa3" | "enterprise" | "wep";

/** A network that the radio receives. */
export interface NetworkInReach {
  ssid: string;
  /** 0 to 100. */
  signal: number;
  security: WifiSecurity;
}

/** What the device needs from its radio. Drivers implement it; one contract suite tests all of them. */
export interface WifiManager {
  /** Rejects with a Problem when there is no radio. May be called again after it failed. */
  start(): Promise<void>;
  close(): void;
  /** The last known status. */
  status(): WifiStatus;
  /** Calls back when the status changes. Returns the function that stops listening. */
  onChange(listener: () => void): () => void;
  knowsAny(): Promise<boolean>;
  /** Whether a cable connects the device to a network. */
  isWired(): Promise<boolean>;
  /** Strongest first. While the access point is open, the list is the one from before it was opened. */
  listNetworks(): Promise<NetworkInReach[]>;
  /** Resolves when the network is joined and saved; otherwise rejects with a Problem and saves nothing. */
  join(network: WifiNetwork, signal: AbortSignal): Promise<void>;
  /** Closes the access point and joins a known network that is in reach. Resolves to false when there is none. */
  rejoin(signal: AbortSignal): Promise<boolean>;
  /** Opens an access point, so that a phone can reach the device at the address. The next join or rejoin closes it. */
  openAccessPoint(ssid: string): Promise<{ address: string }>;
  forgetAll(): Promise<void>;
}

/** What the device needs from the clock of its operating system. One contract suite tests all implementations. */
export interface SystemClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Whether a time server has set it. */
  isSynchronised(): Promise<boolean>;
  /** Lets time servers set it, or prevents that. Without effect on a system that has no time servers. */
  allowServers(isAllowed: boolean): Promise<void>;
  /** Rejects with a Problem when it cannot be set, for example while time servers are allowed to set it. */
  set(epochS: number): Promise<void>;
}

/** What the device needs from the clock of its operating system. One contract suite holds for all implementations. */
export interface SystemClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Whether a time server has set it. */
  isSynchronised(): Promise<boolean>;
  /** Lets time servers set it, or keeps them away. Without effect on a system that knows none. */
  allowServers(isAllowed: boolean): Promise<void>;
  /** Rejects with a Problem when it cannot be set, for one while time servers are allowed to. */
  set(epochS: number): Promise<void>;
}

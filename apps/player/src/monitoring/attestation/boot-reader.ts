/** What the feature needs to identify the current boot of the device. */
export interface BootReader {
  read(): Promise<Boot>;
}

export interface Boot {
  /** Random, and different after every start of the device. */
  id: string;
  /** Time since that boot, by a monotonic clock. */
  uptime_ms: number;
}

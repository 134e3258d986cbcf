/**
 * What the update feature needs from whatever writes firmware. There are two slots: one runs, the other one is written.
 * A part that does not answer is a "failed" Problem that starts with "firmware".
 */
export interface FirmwareUpdater {
  /** Which system runs now. Waits for an installation that is under way. */
  running(): Promise<RunningSystem>;
  /** Reads a bundle. One that is not signed for this device or is no bundle is an "invalid" Problem about the field. */
  inspect(path: string, field: string): Promise<BundleFacts>;
  /** Writes the other slot and lets it boot next. The bundle is checked once more; progress is 0..100. */
  install(path: string, onProgress: (percent: number) => void): Promise<void>;
  /** The running system is sound: it is the one that boots from now on. */
  markGood(): Promise<void>;
  /** The running system is not sound: the other one boots from now on. */
  markBad(): Promise<void>;
  /** Resolves after the restart, which only a simulated device lives to see; rejects when none comes. */
  reboot(): Promise<void>;
}

export interface RunningSystem {
  slot: string;
  /** Differs after every restart of the device. */
  bootId: string;
  /** What a bundle for this device is made for. */
  compatible: string;
}

export interface BundleFacts {
  version: string;
  compatible: string;
}

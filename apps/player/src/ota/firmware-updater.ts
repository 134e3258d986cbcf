/**
 * What the update feature needs from a firmware writer. There are two slots: one runs, the other one is written.
 * A component that does not answer is a "failed" Problem that starts with "firmware".
 */
export interface FirmwareUpdater {
  /** The running system. Waits for an installation in progress. */
  running(): Promise<RunningSystem>;
  /** All slots as they are installed now; none on a device that has no updater. Never waits for an installation. */
  slots(): Promise<FirmwareSlot[]>;
  /**
   * Reads a bundle. If it is not a bundle, or not signed for this device, that is an "invalid" Problem about the field.
   */
  inspect(path: string, field: string): Promise<BundleFacts>;
  /** Writes the other slot and makes it boot next. The bundle is verified again; progress is 0..100. */
  install(path: string, onProgress: (percent: number) => void): Promise<void>;
  /** Marks the running system as good: it boots from now on. */
  markGood(): Promise<void>;
  /** Marks the running system as bad: the other one boots from now on. */
  markBad(): Promise<void>;
  /** Resolves after the restart, which happens only on a simulated device; rejects when the device does not restart. */
  reboot(): Promise<void>;
}

export interface RunningSystem {
  slot: string;
  /** Different after every restart of the device. */
  bootId: string;
  /** The device type that a bundle for this device must name. */
  compatible: string;
}

export interface FirmwareSlot {
  name: string;
  is_booted: boolean;
  /** The SHA-256 digest of the image that was installed; null if it is not known. */
  hash: string | null;
}

export interface BundleFacts {
  version: string;
  compatible: string;
}

/** What the device needs to sleep. One contract suite tests all implementations. */
export interface PowerManager {
  /** Rejects with a Problem when this device cannot sleep. */
  start(): Promise<void>;
  /** Resolves when the device is awake again, woken by its button or the alarm of its clock chip. */
  suspend(): Promise<void>;
}

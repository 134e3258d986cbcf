/** What the device needs to sleep. One contract suite holds for all implementations. */
export interface PowerManager {
  /** Rejects with a Problem when this device cannot sleep. */
  start(): Promise<void>;
  /** Resolves when the device is awake again, by its button or the alarm of its clock chip. */
  suspend(): Promise<void>;
}

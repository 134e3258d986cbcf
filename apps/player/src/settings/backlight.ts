/** What the device needs from the backlight of its screen. One contract suite tests all implementations. */
export interface Backlight {
  /** Rejects with a Problem when there is none. */
  start(): Promise<void>;
  /** From 0, which is dark, to 255. Rejects with a Problem when it fails. */
  set(brightness: number): Promise<void>;
}

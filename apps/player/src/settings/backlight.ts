/** What the device needs from the light behind its screen. One contract suite holds for all implementations. */
export interface Backlight {
  /** Rejects with a Problem when there is none. */
  start(): Promise<void>;
  /** From 0, which is dark, to 255. Rejects with a Problem when it does not obey. */
  set(brightness: number): Promise<void>;
}

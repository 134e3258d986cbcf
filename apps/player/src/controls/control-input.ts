/** The keys of a device, by what they are for. */
export const CONTROL_KEYS = ["main", "setup", "volume_up", "volume_down", "next", "previous"] as const;
export type ControlKey = (typeof CONTROL_KEYS)[number];

/** `lost`: the key's device disappeared while the key was held, which is not a release. */
export type KeyChange = "down" | "repeat" | "up" | "lost";

/** Receives what a person does with the keys and knobs of the device. */
export interface ControlListener {
  key(key: ControlKey, change: KeyChange): void;
  /** A knob was turned; positive is clockwise. */
  turn(steps: number): void;
}

/** What the device needs from its keys and knobs. One contract suite tests all implementations. */
export interface ControlInput {
  /** Starts to report; rejects with a Problem when there are keys that cannot be read, and continues to try. */
  start(listener: ControlListener): Promise<void>;
  /** The keys that are fitted now. */
  keys(): ReadonlySet<ControlKey>;
  close(): Promise<void>;
}

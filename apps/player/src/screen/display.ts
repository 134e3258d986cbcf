export const SCREEN_WIDTH = 320;
export const SCREEN_HEIGHT = 240;

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One picture. */
export interface Frame {
  /** Red, green, blue and an opaque fourth byte for each pixel, row by row from the top. */
  pixels: Uint8Array;
  /** What the panel shows to whoever stands before it, and nobody else may see. */
  secret?: Place | undefined;
}

/** What the screen needs from any panel of 320x240. A panel that cannot be opened fails to start with its reason. */
export interface Display {
  start(): Promise<void>;
  /** Resolves when the panel has the whole picture. */
  show(frame: Frame): Promise<void>;
  /** Leaves the panel dark: a clock that stopped must not look like one that runs. */
  close(): Promise<void>;
}

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
  /** The area that only a person in front of the panel may see. */
  secret?: Place | undefined;
}

/** What the screen needs from a panel of 320x240. If the panel cannot be opened, start() rejects with the reason. */
export interface Display {
  start(): Promise<void>;
  /** Resolves when the panel has the whole picture. */
  show(frame: Frame): Promise<void>;
  /** Leaves the panel dark: a stopped clock must not look like a running one. */
  close(): Promise<void>;
}

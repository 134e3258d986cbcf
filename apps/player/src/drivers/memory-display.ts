import { Problem } from "@kit/problem";
import { type Display, SCREEN_HEIGHT, SCREEN_WIDTH } from "../screen/display.ts";

export interface MemoryDisplay extends Display {
  /** Red, green, blue and an opaque fourth byte for each pixel of the panel. */
  pixels(): Uint8Array;
}

/** A panel in memory: the picture is visible only through screenshots. */
export function createMemoryDisplay(): MemoryDisplay {
  const panel = new Uint8Array(SCREEN_WIDTH * SCREEN_HEIGHT * 4);
  let isOn = false;
  return {
    async start() {
      isOn = true;
    },
    async show({ pixels }) {
      if (!isOn) throw new Problem("failed", "display: the panel is off");
      panel.set(pixels);
    },
    async close() {
      isOn = false;
      panel.fill(0);
    },
    pixels: () => panel,
  };
}

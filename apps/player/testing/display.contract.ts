import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Display, SCREEN_HEIGHT, SCREEN_WIDTH } from "../src/screen/display.ts";

export interface WatchedDisplay {
  display: Display;
  /** What the panel shows: red, green and blue of each pixel, in the panel's own precision. */
  look(): Promise<readonly (readonly [number, number, number])[]>;
}

/** A picture in which no two neighbouring pixels are equal, so that a shifted row is detected. */
function testCard(seed: number): Uint8Array {
  const pixels = new Uint8Array(SCREEN_WIDTH * SCREEN_HEIGHT * 4);
  for (let index = 0; index < SCREEN_WIDTH * SCREEN_HEIGHT; index += 1) {
    const [x, y] = [index % SCREEN_WIDTH, Math.floor(index / SCREEN_WIDTH)];
    pixels.set([(x * 7 + seed) % 256, (y * 5 + seed) % 256, (x * 3 + y * 11 + seed) % 256, 255], index * 4);
  }
  return pixels;
}

/** The panel may keep five bits of red and blue, and six of green. */
function isNear(shown: readonly number[] | undefined, pixels: Uint8Array, index: number): boolean {
  return [7, 3, 7].every((most, part) => {
    const difference = (pixels[index * 4 + part] ?? 0) - (shown?.[part] ?? Number.NaN);
    return difference >= 0 && difference <= most;
  });
}

/** The contract of every panel. */
export function describeDisplay(name: string, create: () => Promise<WatchedDisplay>): void {
  describe(name, () => {
    let watched: WatchedDisplay;

    beforeEach(async () => {
      watched = await create();
    });

    afterEach(async () => {
      await watched.display.close();
    });

    async function wrongPixels(pixels: Uint8Array): Promise<number> {
      const shown = await watched.look();
      expect(shown).toHaveLength(SCREEN_WIDTH * SCREEN_HEIGHT);
      return shown.filter((pixel, index) => !isNear(pixel, pixels, index)).length;
    }

    it("shows every pixel at its position, and replaces the picture by the next", async () => {
      await watched.display.start();
      for (const seed of [0, 101, 202]) {
        const pixels = testCard(seed);
        await watched.display.show({ pixels });
        expect(await wrongPixels(pixels)).toBe(0);
      }
    });

    it("keeps its picture when the frame's buffer is reused", async () => {
      await watched.display.start();
      const pixels = testCard(5);
      await watched.display.show({ pixels });
      pixels.fill(0);
      expect(await wrongPixels(testCard(5))).toBe(0);
    });

    it("refuses a picture before it is started and after it is closed", async () => {
      const refusal = { kind: "failed", message: expect.stringMatching(/^display: /) };
      await expect(watched.display.show({ pixels: testCard(1) })).rejects.toMatchObject(refusal);
      await watched.display.start();
      await watched.display.close();
      await expect(watched.display.show({ pixels: testCard(1) })).rejects.toMatchObject(refusal);
    });

    it("is dark when it is closed, closes twice, and may be started again", async () => {
      await watched.display.start();
      await watched.display.start();
      await watched.display.show({ pixels: testCard(1) });
      await Promise.all([watched.display.close(), watched.display.close()]);
      expect(await wrongPixels(new Uint8Array(SCREEN_WIDTH * SCREEN_HEIGHT * 4))).toBe(0);
      await watched.display.start();
      await watched.display.show({ pixels: testCard(9) });
      expect(await wrongPixels(testCard(9))).toBe(0);
    });
  });
}

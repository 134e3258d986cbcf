import { join } from "node:path";
import { Problem } from "@kit/problem";
import { type Frame, type Place, SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";
import { drawCard, drawCertificate, drawFailures, drawReset, drawUpdate } from "./draw-notices.ts";
import { drawBuffering, drawHifz, drawNowPlaying } from "./draw-playing.ts";
import { drawAdhan, drawIdle } from "./draw-prayer.ts";
import { drawSetup } from "./draw-setup.ts";
import { createPen, FONTS, type Pen } from "./pen.ts";
import type { ScreenModel } from "./screen-model.ts";

export interface Painter {
  /** The same model gives the same picture. */
  paint(model: ScreenModel): Frame;
}

/** Loads the graphics library, which is large: call it after the service answers. */
export async function openPainter(fontFolder: string): Promise<Painter> {
  const { createCanvas, GlobalFonts } = await import("@napi-rs/canvas").catch((cause: unknown) => {
    throw new Problem("failed", "display: the graphics library cannot be loaded", { cause });
  });
  for (const [name, file] of Object.entries(FONTS)) {
    const key = GlobalFonts.registerFromPath(join(fontFolder, file), name);
    if (!key) throw new Problem("failed", `display: the font ${file} cannot be read`);
  }
  const canvas = createCanvas(SCREEN_WIDTH, SCREEN_HEIGHT);
  const context = canvas.getContext("2d", { alpha: false });
  return {
    paint(model) {
      const secret = draw(createPen(context, model.language), model);
      return { pixels: canvas.data(), secret };
    },
  };
}

/** Returns the area of a secret, if there is one. */
function draw(pen: Pen, model: ScreenModel): Place | undefined {
  switch (model.screen) {
    case "update":
      drawUpdate(pen, model);
      return undefined;
    case "reset":
      drawReset(pen, model);
      return undefined;
    case "setup":
      return drawSetup(pen, model);
    case "failures":
      drawFailures(pen, model);
      return undefined;
    case "adhan":
      drawAdhan(pen, model);
      return undefined;
    case "card":
      drawCard(pen, model);
      return undefined;
    case "certificate":
      drawCertificate(pen, model);
      return undefined;
    case "buffering":
      drawBuffering(pen, model);
      return undefined;
    case "hifz":
      drawHifz(pen, model);
      return undefined;
    case "now_playing":
      drawNowPlaying(pen, model);
      return undefined;
    case "idle":
      drawIdle(pen, model);
      return undefined;
    default:
      return model satisfies never;
  }
}

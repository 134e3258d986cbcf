import { readFile } from "node:fs/promises";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { createPairCommand } from "../src/commands/pair.ts";
import { createMemoryDisplay } from "../src/drivers/memory-display.ts";
import { findOwnAddress } from "../src/settings/own-address.ts";
import { countTones } from "./count-tones.ts";
import { type LoopbackOptions, startLoopbackPlayer } from "./loopback-player.ts";
import { showsQr } from "./qr-on-screen.ts";

const NO_SCREEN = new Problem("failed", "display: there is no frame buffer");
const SETUP_ADDRESS = "10.42.0.1";

/** A device that no person has used, and what a person sees, hears and types at it. */
export async function startDeviceToPair({ hasScreen, ...options }: LoopbackOptions & { hasScreen: boolean }) {
  const clock = createClock();
  const panel = createMemoryDisplay();
  const display = hasScreen ? panel : { ...panel, start: () => Promise.reject(NO_SCREEN) };
  const player = await startLoopbackPlayer({ ...options, parts: { display } });
  const token = async () => (await readFile(join(player.dataFolder, "token"), "utf8")).trim();
  return {
    ...{ player, token },

    /** Whether the camera of a phone finds the link with the token on the screen. */
    isScannable: async () => {
      const sent = await token();
      const hosts = [findOwnAddress(networkInterfaces()) || hostname(), SETUP_ADDRESS];
      return hosts.some((host) => showsQr(panel.pixels(), `https://${host}:${player.port}/#${sent}`));
    },

    /** The digits by the tones that sound. */
    hear: async () => {
      const sound = await readFile(join(player.dataFolder, "pairing-code.wav"));
      return countTones(sound)
        .map((tones) => tones % 10)
        .join("");
    },

    /** The digits that the command on the device prints. */
    runCommand: async () => {
      const printed: string[] = [];
      const terminal = { write: (text: string) => void printed.push(text) };
      const pair = createPairCommand({ dataFolder: () => player.dataFolder, terminal, clock });
      await pair.run({ values: {}, positionals: [] });
      return printed.join("").replace(/\s/g, "");
    },
  };
}

import { resolve } from "node:path";
import { readEnvironment } from "@kit/config";
import { isLoopback } from "@kit/guard/address";
import { invalidField } from "@kit/problem";
import Type from "typebox";

const Environment = Type.Object({
  PLAYER_HOST: Type.String({ default: "127.0.0.1" }),
  PLAYER_PORT: Type.Integer({ minimum: 1, maximum: 65_535, default: 8443 }),
  PLAYER_SETUP_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  PLAYER_TLS: Type.Enum(["self-signed", "off"], { default: "self-signed" }),
  PLAYER_NAMES: Type.String({ pattern: "^([a-z0-9.-]+(,[a-z0-9.-]+)*)?$", maxLength: 1000, default: "" }),
  PLAYER_TLS_CERT: Type.Optional(Type.String({ minLength: 1 })),
  PLAYER_TLS_KEY: Type.Optional(Type.String({ minLength: 1 })),
  PLAYER_DATA_DIR: Type.String({ default: "var/player" }),
  PLAYER_CARD_DIR: Type.String({ minLength: 1, default: "var/player-card" }),
  PLAYER_DRIVERS: Type.Enum(["auto", "simulated", "linux"], { default: "simulated" }),
  PLAYER_AUDIO_OUTPUT: Type.Optional(Type.String({ pattern: "^[a-z0-9_]+(,[a-z0-9_]+)*$", maxLength: 100 })),
  // As mpv lists it: an output, a slash, and the name of the device in that output.
  PLAYER_AUDIO_DEVICE: Type.Optional(Type.String({ pattern: "^[a-z0-9_]+/[\\w:=,.@+-]+$", maxLength: 200 })),
  PLAYER_AUDIO_SOCKET: Type.Optional(Type.String({ pattern: "^/", maxLength: 100 })),
  PLAYER_FRAMEBUFFER: Type.Optional(Type.String({ pattern: "^/dev/fb\\d+$" })),
  PLAYER_PAIRING: Type.Enum(["on", "off"], { default: "on" }),
  PLAYER_CONSOLE: Type.Optional(Type.String({ pattern: "^/dev/", maxLength: 100 })),
  PLAYER_LIMITS: Type.Enum(["on", "off"], { default: "on" }),
});

export type Config = ReturnType<typeof readConfig>;

/** Reads the environment once, at start. A wrong value stops the process and is named, before any port opens. */
export function readConfig(environment: Record<string, string | undefined>) {
  const read = readEnvironment(Environment, environment);
  const isLimited = read.PLAYER_LIMITS === "on";
  if (!isLimited && !isLoopback(read.PLAYER_HOST)) {
    throw invalidField("PLAYER_LIMITS", "must be on unless PLAYER_HOST is a loopback address");
  }
  const { PLAYER_TLS_CERT: certPath, PLAYER_TLS_KEY: keyPath } = read;
  if ((certPath === undefined) !== (keyPath === undefined)) {
    throw invalidField("PLAYER_TLS_CERT", "must come together with PLAYER_TLS_KEY");
  }
  const isSimulated = read.PLAYER_DRIVERS === "simulated";
  return {
    host: read.PLAYER_HOST,
    port: read.PLAYER_PORT,
    // Phones look for the page of a network at port 80 only. A simulated device does not take it from its machine.
    setupPort: read.PLAYER_SETUP_PORT ?? (isSimulated ? undefined : 80),
    ownNames: read.PLAYER_NAMES.split(",").filter((name) => name !== ""),
    hasTls: read.PLAYER_TLS === "self-signed",
    certificateFiles: certPath !== undefined && keyPath !== undefined ? { certPath, keyPath } : undefined,
    dataFolder: resolve(read.PLAYER_DATA_DIR),
    cardFolder: resolve(read.PLAYER_CARD_DIR),
    isSimulated,
    audio: {
      output: read.PLAYER_AUDIO_OUTPUT,
      device: read.PLAYER_AUDIO_DEVICE,
      socketPath: read.PLAYER_AUDIO_SOCKET,
    },
    framebuffer: read.PLAYER_FRAMEBUFFER,
    hasPairing: read.PLAYER_PAIRING === "on",
    consolePath: read.PLAYER_CONSOLE,
    isLimited,
  } as const;
}

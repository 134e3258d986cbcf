import { resolve } from "node:path";
import { readEnvironment } from "@kit/config";
import { isLoopback } from "@kit/guard/address";
import { Problem } from "@kit/problem";
import Type from "typebox";

const Environment = Type.Object({
  PLAYER_HOST: Type.String({ default: "127.0.0.1" }),
  PLAYER_PORT: Type.Integer({ minimum: 1, maximum: 65_535, default: 8443 }),
  PLAYER_TLS: Type.Enum(["self-signed", "off"], { default: "self-signed" }),
  PLAYER_DATA_DIR: Type.String({ default: "var/player" }),
  PLAYER_LIMITS: Type.Enum(["on", "off"], { default: "on" }),
});

/** Reads the environment once, at start. A wrong value stops the process with its name, before any port opens. */
export function readConfig(environment: Record<string, string | undefined>) {
  const read = readEnvironment(Environment, environment);
  const isLimited = read.PLAYER_LIMITS === "on";
  if (!isLimited && !isLoopback(read.PLAYER_HOST)) {
    throw new Problem("invalid", "PLAYER_LIMITS: must be on unless PLAYER_HOST is a loopback address");
  }
  return {
    host: read.PLAYER_HOST,
    port: read.PLAYER_PORT,
    hasTls: read.PLAYER_TLS === "self-signed",
    dataFolder: resolve(read.PLAYER_DATA_DIR),
    isLimited,
  } as const;
}

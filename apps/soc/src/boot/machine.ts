import { hostname, platform } from "node:os";
import type { LogAddress } from "../adapters/log-store.ts";
import type { Machine } from "../identity/module.ts";

/**
 * Describes this machine. Log engines on this machine (embedded or behind Unix sockets) mean a single-machine
 * deployment.
 */
export function describeMachine({ addresses }: Pick<LogAddress, "addresses">): Machine {
  const isOneBox = addresses.every((address) => address === "chdb" || address.startsWith("unix:"));
  return { deployment_mode: isOneBox ? "one_box" : "cluster", hostname: hostname(), platform: platform() };
}

import { hostname, platform } from "node:os";
import type { Machine } from "../casework/sites/topology.service.ts";

/** This machine. An engine of its own, here or behind a socket of this machine, makes it one box. */
export function describeMachine(logStoreAddress: string): Machine {
  const isOneBox = logStoreAddress === "chdb" || logStoreAddress.startsWith("unix:");
  return { deployment_mode: isOneBox ? "one_box" : "cluster", hostname: hostname(), platform: platform() };
}

import { hostname, platform } from "node:os";
import type { Machine } from "../casework/sites/topology.service.ts";

/**
 * Describes this machine. A log engine on this machine (embedded or behind a Unix socket) means a one-box deployment.
 */
export function describeMachine(logStoreAddress: string): Machine {
  const isOneBox = logStoreAddress === "chdb" || logStoreAddress.startsWith("unix:");
  return { deployment_mode: isOneBox ? "one_box" : "cluster", hostname: hostname(), platform: platform() };
}

import { makeHostileRequests, sendAll } from "@kit/testing/hostile-requests";
import { residentMiB, type StartedService } from "./services.ts";

const BATCH = 1000;

/**
 * With a small heap, garbage is collected early and a leak is visible quickly: two kilobytes leaked per request would
 * end the process before 50,000 requests. The young generation is limited too, because Node 24 lets it grow by 100 MiB.
 */
export const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=64 --max-semi-space-size=4" };

export interface Siege {
  statuses: Set<number>;
  silent: number;
  /** The service's memory after each thousand requests. */
  residentMiB: number[];
}

/** Sends hostile requests in batches and watches the memory of the service. */
export async function besiege(service: StartedService, paths: readonly string[], count: number): Promise<Siege> {
  const siege: Siege = { statuses: new Set(), silent: 0, residentMiB: [] };
  for (let sent = 0; sent < count; sent += BATCH) {
    const { statuses, silent } = await sendAll(service.port, makeHostileRequests(paths, BATCH, sent + 1));
    for (const status of statuses.keys()) siege.statuses.add(status);
    siege.silent += silent;
    siege.residentMiB.push(await residentMiB(service));
  }
  return siege;
}

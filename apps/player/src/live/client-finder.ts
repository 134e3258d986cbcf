import { networkInterfaces } from "node:os";
import type { Clock } from "@kit/clock";
import { findLocalClient } from "@kit/guard/address";

/** How long the addresses of the device are remembered: reading them for every connection would be slow. */
const REMEMBER_MS = 10_000;

/** Returns the function that names the client behind an address: a host of the own link, or the network of a far one. */
export function createClientFinder(clock: Pick<Clock, "monotonicMs">): (address: string) => string {
  let own: string[] = [];
  let readMs = Number.NEGATIVE_INFINITY;
  return (address) => {
    const now = clock.monotonicMs();
    if (now - readMs >= REMEMBER_MS) {
      readMs = now;
      own = Object.values(networkInterfaces()).flatMap((all) => all?.map((each) => each.address) ?? []);
    }
    return findLocalClient(address, own);
  };
}

import { networkInterfaces } from "node:os";
import { isLoopback, reachOf } from "@kit/guard/address";
import { createOutboundGuard, type OutboundGuard } from "@kit/guard/fetch";

/** The operator may run an adapter or a model on the same machine: loopback counts as private here, never as public. */
export function createOutsideGuard(): OutboundGuard {
  return createOutboundGuard({
    ownAddresses: () => interfaceAddresses().filter((address) => !isLoopback(address)),
    classify: (address) => (isLoopback(address) ? "private" : reachOf(address)),
  });
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}

import { networkInterfaces } from "node:os";
import { isLoopback, reachOf } from "@kit/guard/address";
import { createOutboundGuard, type OutboundGuard } from "@kit/guard/fetch";
import type { Resolve } from "@kit/guard/resolver";
import type { PrivateTargets } from "./private-targets.ts";

/** The operator may run an adapter or a model on the same machine: loopback counts as private here, never as public. */
export function createOutsideGuard(resolve?: Resolve): OutboundGuard {
  return createOutboundGuard({
    ...(resolve && { resolve }),
    ownAddresses: () => interfaceAddresses().filter((address) => !isLoopback(address)),
    classify: (address) => (isLoopback(address) ? "private" : reachOf(address)),
  });
}

/** For notifications: of the non-public addresses, only those that the operator listed count as private. */
export function createNotifyGuard(targets: PrivateTargets, resolve: Resolve): OutboundGuard {
  return createOutboundGuard({
    resolve,
    ownAddresses: () => interfaceAddresses().filter((address) => !targets.isAddress(address)),
    classify: (address) => {
      if (targets.isAddress(address)) return "private";
      return reachOf(address) === "public" ? "public" : "forbidden";
    },
  });
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}

import type { HttpAdapter } from "./http-adapters.store.ts";
import { createHttpRequestAction, destinationOf } from "./http-request.ts";
import { createOutboundService, type OutboundServiceDeps } from "./outbound.service.ts";
import { createOutsideGuard } from "./outside-guard.ts";

export interface OutboundParts extends Omit<OutboundServiceDeps, "guard" | "privateDestinations"> {
  httpAdapters: readonly HttpAdapter[];
  /** Other destinations whose addresses the operator has configured, such as `edr`. */
  configured: readonly string[];
}

/** The way out with all that the operator has configured, and the action of playbooks that uses it directly. */
export function createOutbound({ httpAdapters, configured, ...deps }: OutboundParts) {
  const outbound = createOutboundService({
    ...deps,
    guard: createOutsideGuard(),
    privateDestinations: new Set([...configured, ...httpAdapters.map(destinationOf)]),
  });
  return { outbound, actions: [createHttpRequestAction(httpAdapters, outbound)] };
}

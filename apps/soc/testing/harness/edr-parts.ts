import type { Base } from "../../src/foundation/base.ts";
import { createOutbound } from "../../src/foundation/outbound/outbound.feature.ts";
import { createApprovalGate } from "../../src/response/approvals/approvals.feature.ts";
import { createEdr } from "../../src/response/edr/edr.feature.ts";
import { createEdrWorker } from "../../src/response/edr/edr.worker.ts";
import type { EdrAdapterSettings } from "../../src/response/edr/edr-adapter.ts";

/** The EDR feature as the product assembles it. */
export async function edrParts(base: Base, settings: EdrAdapterSettings | undefined, fourEyes = false) {
  const { runtime, ids, clock, log } = base;
  const { mode } = await runtime.truth();
  const start = { id: ids.next(), at: clock.now(), mode };
  const {
    services: { outbound },
  } = createOutbound(base, {
    start,
    hasDatabase: false,
    httpAdapters: [],
    configured: ["edr"],
    mailbox: undefined,
  });
  const {
    services: { gate },
  } = createApprovalGate(base, { fourEyes });
  const {
    services: { endpoints, edrActions: actions, commands },
  } = createEdr(base, { settings, outbound, gate, fourEyes });
  return { endpoints, actions, commands, worker: createEdrWorker({ runtime, actions, clock, log }) };
}

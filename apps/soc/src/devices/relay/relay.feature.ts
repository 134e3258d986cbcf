import type { Base, Registrations } from "../../foundation/base.ts";
import type { Broker } from "../../ports/broker.ts";
import type { AttestationRequests } from "../attestation/attestation-requests.ts";
import { createInbox } from "./inbox.ts";
import { createRelayService, type RelayServiceDeps } from "./relay.service.ts";
import { createRelayWorker } from "./relay.worker.ts";

export interface RelayNeeds extends Pick<RelayServiceDeps, "authority" | "sendRecorded"> {
  attestation: { requests: AttestationRequests };
  /** Undefined if no broker is configured; there is then no relay. */
  broker: (() => Promise<Broker>) | undefined;
}

export function createRelay(base: Base, { attestation, authority, broker, sendRecorded }: RelayNeeds) {
  const { runtime, clock, ids, log } = base;
  const { requests } = attestation;
  return {
    services: {},
    registrations: {
      createRelaying() {
        if (!broker) return [];
        const inbox = createInbox({ requests, clock, log });
        const shared = { runtime, requests, authority, broker, inbox, sendRecorded };
        const relay = createRelayService({ ...shared, clock, ids, log });
        return [createRelayWorker({ relay, clock, log })];
      },
    } satisfies Registrations,
  };
}

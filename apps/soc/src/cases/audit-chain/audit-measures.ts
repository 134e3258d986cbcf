import type { Measure } from "@kit/http/metrics";
import type { AuditChainStatusBody, ReceiverBody } from "./audit-chain.schema.ts";

/** The numbers of `GET /audit/status` as metrics. */
export function listMeasures(readStatus: () => Promise<AuditChainStatusBody | undefined>): Measure[] {
  const readReceivers = (toValue: (receiver: ReceiverBody) => number) => async () => {
    const receivers = (await readStatus())?.receivers ?? [];
    return receivers.length === 0
      ? undefined
      : Object.fromEntries(receivers.map((receiver) => [receiver.receiver, toValue(receiver)]));
  };
  return [
    {
      name: "audit_lag_seconds",
      help: "Age of the oldest audit entry that has not joined the ledger yet.",
      kind: "gauge",
      read: async () => (await readStatus())?.lag_s,
    },
    {
      name: "audit_faults",
      help: "Audit entries that do not match the ledger, as far as no operator has accepted them; at most 100.",
      kind: "gauge",
      read: async () => (await readStatus())?.faults.length,
    },
    {
      name: "audit_receiver_lag_seconds",
      help: "Age of the oldest audit entry that the receiver has not accepted yet.",
      kind: "gauge",
      label: "receiver",
      read: readReceivers(({ lag_s }) => lag_s),
    },
    {
      name: "audit_receiver_failing",
      help: "1 while the last attempt to send audit entries to the receiver has failed.",
      kind: "gauge",
      label: "receiver",
      read: readReceivers(({ state }) => Number(state === "failing")),
    },
  ];
}

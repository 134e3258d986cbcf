import type { Base, Registrations } from "../../foundation/base.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import type { SyslogSender } from "../../foundation/outbound/syslog.service.ts";
import type { SyslogServer } from "../../foundation/outbound/syslog.ts";
import type { ReceiverBody } from "../audit-chain/audit-chain.schema.ts";
import { createForwardingStore } from "./audit-forwarding.store.ts";
import { createAuditForwarding } from "./audit-forwarding.worker.ts";
import { createOtlpReceiver, type OtlpSettings } from "./otlp-receiver.ts";
import type { Receiver } from "./receiver.ts";
import { createSyslogReceiver } from "./syslog-receiver.ts";

/** The systems that the operator configured to keep a copy of the audit log. */
export interface ForwardingSettings {
  syslog?: SyslogServer | undefined;
  otlp?: OtlpSettings | undefined;
}

export interface AuditForwardingNeeds {
  settings: ForwardingSettings;
  hostname: string;
  outbound: Pick<OutboundService, "stream">;
  sendSyslog: SyslogSender;
}

export function createForwarding(base: Base, { settings, hostname, outbound, sendSyslog }: AuditForwardingNeeds) {
  const { db, runtime, clock, log } = base;
  const { syslog, otlp } = settings;
  const now = () => clock.now();
  const receivers: Receiver[] = [
    ...(syslog ? [createSyslogReceiver({ server: syslog, hostname, send: sendSyslog })] : []),
    ...(otlp ? [createOtlpReceiver({ settings: otlp, hostname, outbound, now })] : []),
  ];

  async function readReceiver({ name: receiver }: Receiver): Promise<ReceiverBody> {
    const { is_external_actions_allowed } = await runtime.truth();
    const read = await createForwardingStore(db).readStatus(receiver);
    if (!read)
      return { receiver, state: "starting", waiting: 0, lag_s: 0, sent_at: null, failure: null, failed_at: null };
    const { waiting, since, failures, sent_at, failed_at, failure } = read;
    const sending = failures > 0 ? "failing" : "sending";
    return {
      receiver,
      state: is_external_actions_allowed ? sending : "paused",
      waiting,
      lag_s: since ? Math.max(0, Math.round((now().getTime() - since.getTime()) / 1000)) : 0,
      sent_at: sent_at?.toISOString() ?? null,
      failure,
      failed_at: failed_at?.toISOString() ?? null,
    };
  }

  return {
    services: { listReceivers: () => Promise.all(receivers.map(readReceiver)) },
    registrations: {
      createWork: () => ({
        background: () =>
          receivers.map((receiver) => createAuditForwarding({ db, runtime, receiver, clock, log }).loop),
      }),
    } satisfies Registrations,
  };
}

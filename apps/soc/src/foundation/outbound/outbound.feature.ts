import { createResolver } from "@kit/guard/resolver";
import type { Base, Registrations } from "../base.ts";
import type { Start } from "./dispatch.ts";
import type { HttpAdapter } from "./http-adapters.ts";
import { createHttpRequestAction, formatDestination } from "./http-request.ts";
import { createMailService, type MailServiceDeps } from "./mail.service.ts";
import { createMemoryOutboundStore } from "./memory-outbound.store.ts";
import { createOutboundService } from "./outbound.service.ts";
import { createOutboundStore, createOutboundWriter } from "./outbound.store.ts";
import { createNotifyGuard, createOutsideGuard } from "./outside-guard.ts";
import type { PrivateTargets } from "./private-targets.ts";
import { createRecordedSending } from "./recorded-sending.ts";
import { createSyslogSender } from "./syslog.service.ts";

export interface OutboundNeeds {
  /** This start of the process. The mode proof lists all starts. */
  start: Start;
  hasDatabase: boolean;
  httpAdapters: readonly HttpAdapter[];
  /** Other destinations whose addresses the operator configured, such as `edr`. */
  configured: readonly string[];
  mailbox: MailServiceDeps["mailbox"];
  /** The private hosts and networks that notifications may reach. */
  notifyPrivate?: PrivateTargets | undefined;
}

/** The only way to send anything out of the platform, and the playbook action that uses it directly. */
export function createOutbound(base: Base, needs: OutboundNeeds) {
  const { start, hasDatabase, httpAdapters, configured, mailbox, notifyPrivate } = needs;
  const { db, runtime, clock, ids, log } = base;
  const stores = {
    database: createOutboundStore(db),
    showcase: createMemoryOutboundStore({ start, isAlone: !hasDatabase }),
  };
  const resolve = createResolver();
  const outbound = createOutboundService({
    runtime,
    stores,
    guard: createOutsideGuard(resolve),
    privateDestinations: new Set([...configured, ...httpAdapters.map(formatDestination)]),
    ...(notifyPrivate && { allowed: { targets: notifyPrivate, guard: createNotifyGuard(notifyPrivate, resolve) } }),
    clock,
    ids,
    log,
  });
  return {
    services: {
      outbound,
      mail: createMailService({ runtime, stores, mailbox, resolve, clock, ids, log }),
      sendSyslog: createSyslogSender({ runtime, stores, resolve, clock, ids, log }),
      /** For other protocols. */
      sendRecorded: createRecordedSending({ runtime, stores, clock, ids, log }),
      stores,
    },
    registrations: {
      actions: [createHttpRequestAction(httpAdapters, outbound)],
      async onFirstAnswer(answering) {
        const writer = createOutboundWriter(answering);
        await writer.recordStart(start);
        // The service and the worker of each host must run in one mode: a host in dry_run does not stop a real worker.
        const before = await writer.findPrevious(start);
        if (before && before.mode !== start.mode) {
          log.warn(
            { mode: start.mode, mode_before: before.mode, at_before: before.at },
            "mode differs from the previous start",
          );
        }
      },
    } satisfies Registrations,
  };
}

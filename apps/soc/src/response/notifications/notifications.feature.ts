import type { Base, Registrations } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { EventStream } from "../../foundation/events/event-stream.ts";
import type { HoldChange } from "../../foundation/held-changes.ts";
import type { MailService } from "../../foundation/outbound/mail.service.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { UsersService } from "../../identity/module.ts";
import { createChannelsService } from "./channels.service.ts";
import { createChannelsStore, createChannelsWriter, createShowcaseChannelsStore } from "./channels.store.ts";
import { createDeliveriesService } from "./deliveries.service.ts";
import { createDeliveriesStore, createDeliveriesWriter, createShowcaseDeliveriesStore } from "./deliveries.store.ts";
import { createNotificationActions } from "./notifications.actions.ts";
import { notificationsRoutes } from "./notifications.routes.ts";
import { createNotificationsWorker } from "./notifications.worker.ts";
import type { SettingsCipher } from "./sealing.ts";
import { createSendingService } from "./sending.service.ts";

export interface NotificationsNeeds {
  outbound: OutboundService;
  mail: MailService;
  outbox: EventStream;
  users: UsersService;
  /** Encrypts the secrets of channels. */
  sealing: SettingsCipher;
  holdChange: HoldChange;
}

export function createNotifications(
  base: Base,
  { outbound, mail, outbox, users, sealing, holdChange }: NotificationsNeeds,
) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const stored = createChannelsStore(db, sealing);
  const sending = createSendingService({ outbound, mail, clock });
  const channels = createChannelsService({
    runtime,
    stores: base.sources(
      () => stored,
      (showcase) => createShowcaseChannelsStore(showcase.notifications.channels),
    ),
    deliveries: base.sources(createDeliveriesStore, (showcase) =>
      createShowcaseDeliveriesStore(showcase.notifications.deliveries),
    ),
    outbound,
    sealing,
    holdChange,
    audit,
    clock,
    ids,
  });
  return {
    services: { channels },
    registrations: {
      routes: [notificationsRoutes(channels, changes)],
      actions: createNotificationActions({ channels: stored, sending, clock }),
      async storeDemo(tx: Tx, { notifications }: Showcase): Promise<void> {
        const writer = createChannelsWriter(tx, sealing);
        // Their addresses do not exist, and an enabled channel would try to reach them.
        for (const channel of notifications.channels) await writer.insert({ ...channel, enabled: false });
        await createDeliveriesWriter(tx).insertFinished(notifications.deliveries);
      },
      onFirstAnswer: (answering) => createChannelsWriter(answering, sealing).sealPlain(),
      createWork: () => ({
        background: () => [
          createNotificationsWorker({
            events: outbox,
            deliveries: createDeliveriesService({ db, channels: stored, sending, users, ids, log }),
            isAllowed: async () => (await runtime.truth()).is_internal_workflows_allowed,
            clock,
            log,
          }),
        ],
      }),
    } satisfies Registrations,
  };
}

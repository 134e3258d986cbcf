import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { isAllowed } from "../../foundation/caller/permissions.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { StreamEvent } from "../../foundation/events/event-stream.ts";
import { isMailAddress } from "../../foundation/records/mail-address.ts";
import type { UsersService } from "../../identity/module.ts";
import type { UserBody } from "../../identity/users/users.schema.ts";
import { type Channel, isSubscribed } from "./channel.ts";
import type { ChannelsStore } from "./channels.store.ts";
import { createDeliveriesWriter, type DeliveryResult, type NewDelivery } from "./deliveries.store.ts";
import { type Delivery, MAX_ATTEMPTS, waitSecondsAfter } from "./delivery.ts";
import { buildMessage, type Message } from "./message.ts";
import { SEND_TIMEOUT_MS, type SendingService } from "./sending.service.ts";

export interface DeliveriesServiceDeps {
  db: Db;
  channels: Pick<ChannelsStore, "enabled" | "find">;
  sending: Pick<SendingService, "send">;
  users: Pick<UsersService, "list">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn" | "error">;
}
export type DeliveriesService = ReturnType<typeof createDeliveriesService>;

const BATCH_SIZE = 20;
/** Exceeds the longest attempt. */
const LEASE_SECONDS = (4 * SEND_TIMEOUT_MS) / 1000;
/** Limits the queue of a channel that does not accept messages; further events are dropped with a warning. */
const MAX_QUEUED = 10_000;
const KEPT_SECONDS = 30 * 24 * 3600;
const DELETE_BATCH_SIZE = 1000;
const USERS_PAGE_SIZE = 200;
const MAX_USER_PAGES = 50;

export function createDeliveriesService({ db, channels, sending, users, ids, log }: DeliveriesServiceDeps) {
  const writer = createDeliveriesWriter(db);
  /** Skips an invalid address, so that the other reviewers are still notified. */
  function toMailAddresses({ username, role, email, disabled }: UserBody): string[] {
    if (email === null || disabled || !isAllowed(role, ["approvals:manage"])) return [];
    if (isMailAddress(email)) return [email];
    log.warn({ username }, "invalid e-mail address of user");
    return [];
  }

  /** Returns the e-mail addresses of all users who may decide approvals. */
  async function reviewers(): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < MAX_USER_PAGES; page += 1) {
      const { items, next_cursor }: Awaited<ReturnType<typeof users.list>> = await users.list({
        limit: USERS_PAGE_SIZE,
        ...(cursor !== null && { cursor }),
      });
      found.push(...items.flatMap(toMailAddresses));
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    return found;
  }

  async function messageFor(event: StreamEvent): Promise<Message> {
    const message = buildMessage(event);
    return event.type === "approval.escalated" ? { ...message, to: await reviewers() } : message;
  }

  function toEnding(error: unknown, { id, attempts }: Delivery): DeliveryResult {
    if (!(error instanceof Problem)) log.error({ err: error, delivery_id: id }, "notification failed");
    const last_error = error instanceof Problem ? error.message : "internal error";
    // An invalid message would be refused again.
    const isFinal = attempts >= MAX_ATTEMPTS || (error instanceof Problem && error.kind === "invalid");
    if (isFinal) return { status: "dead", last_error };
    return { status: "queued", last_error, waitSeconds: waitSecondsAfter(attempts) };
  }

  async function attempt(delivery: Delivery): Promise<DeliveryResult> {
    const channel = await channels.find(delivery.channel_id);
    if (!channel) return { status: "dead", last_error: "the channel was deleted" };
    if (channel.approval_id) return { status: "dead", last_error: "the channel waits for an approval" };
    if (!channel.enabled && delivery.event_id !== null)
      return { status: "dead", last_error: "the channel is disabled" };
    try {
      return { status: await sending.send(channel, delivery.id, delivery.message) };
    } catch (error) {
      return toEnding(error, delivery);
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const ending = await attempt(delivery);
    if (ending.status === "dead") {
      const { id: delivery_id, channel_id } = delivery;
      log.warn({ delivery_id, channel_id, why: ending.last_error }, "notification abandoned");
    }
    await writer.endAttempt(delivery, ending);
  }

  function withRoom(subscribers: readonly Channel[], queued: ReadonlyMap<string, number>): Channel[] {
    return subscribers.filter(({ id, name }) => {
      const isFull = (queued.get(id) ?? 0) >= MAX_QUEUED;
      if (isFull) log.warn({ channel: name, queued: MAX_QUEUED }, "channel queue is full; events are dropped");
      return !isFull;
    });
  }

  return {
    /** Queues the events for every subscribed channel. Idempotent: repeated events are ignored. */
    async queue(events: readonly StreamEvent[]): Promise<number> {
      const enabled = await channels.enabled();
      const subscribers = enabled.filter((channel) => events.some(({ type }) => isSubscribed(channel, type)));
      if (subscribers.length === 0) return 0;
      const channelIds = subscribers.map(({ id }) => id);
      const open = withRoom(subscribers, await writer.countQueued(channelIds, MAX_QUEUED));
      const deliveries: NewDelivery[] = [];
      for (const event of events) {
        const subscribed = open.filter((channel) => isSubscribed(channel, event.type));
        if (subscribed.length === 0) continue;
        const message = await messageFor(event);
        for (const { id: channel_id } of subscribed) {
          deliveries.push({ id: ids.next(), channel_id, event_id: event.id, type: event.type, message });
        }
      }
      return (await writer.insert(deliveries)).length;
    },

    /** Attempts each due delivery once: it is sent, rescheduled or abandoned. */
    async deliverDue(): Promise<{ count: number; isFull: boolean }> {
      const due = await writer.claimDue(BATCH_SIZE, LEASE_SECONDS);
      await Promise.all(due.map(deliver));
      return { count: due.length, isFull: due.length === BATCH_SIZE };
    },

    forget: () => writer.deleteOld(KEPT_SECONDS, DELETE_BATCH_SIZE),
  };
}

import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { HeldDecision, HoldChange } from "../../foundation/held-changes.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { buildChannel, type Channel, checkUrl, opensDestination, patchChannel, toChannelBody } from "./channel.ts";
import type { ChannelBody, ChannelKind, CreateChannelRequest, UpdateChannelRequest } from "./channels.schema.ts";
import { type ChannelsStore, createChannelsWriter, MAX_CHANNELS } from "./channels.store.ts";
import type { DeliveriesQuery, DeliveryBody } from "./deliveries.schema.ts";
import { createDeliveriesWriter, type DeliveriesStore } from "./deliveries.store.ts";
import { toDeliveryBody } from "./delivery.ts";
import type { SettingsCipher } from "./sealing.ts";

export interface ChannelsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ChannelsStore; showcase: ChannelsStore };
  deliveries: { database: DeliveriesStore; showcase: DeliveriesStore };
  /** Checks which addresses a message may be sent to. */
  outbound: Pick<OutboundService, "check">;
  /** Encrypts the secrets in the database. */
  sealing: SettingsCipher;
  holdChange: HoldChange;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type ChannelsService = ReturnType<typeof createChannelsService>;

export function createChannelsService(deps: ChannelsServiceDeps) {
  const { runtime, stores, deliveries, outbound, sealing, holdChange, audit, clock, ids } = deps;

  async function lock(tx: Tx, id: string, ifMatch: string | undefined): Promise<Channel> {
    const channel = await createChannelsWriter(tx, sealing).lock(id);
    if (!channel) throw notFound("channel", id);
    requireMatch(ifMatch, channel);
    return channel;
  }

  /** The details never include the settings. */
  async function record(
    tx: Tx,
    caller: Pick<Caller, "username">,
    action: string,
    { id, name, kind, events, enabled }: Channel,
  ) {
    const details = { name, kind, events, enabled };
    await audit.record(tx, { actor: caller.username, action, subject_type: "channel", subject_id: id, details });
  }

  /** With four eyes, messages reach a new address when another person approves it. */
  async function hold(tx: Tx, caller: Caller, channel: Channel, former?: Channel): Promise<Channel> {
    if (!holdChange || !opensDestination(channel, former)) return { ...channel, approval_id: null };
    const { id, name, kind, settings, events, updated_at } = channel;
    const to = settings.to?.join(", ") ?? new URL(settings.url ?? "").host;
    const approval_id = await holdChange(tx, caller, {
      ...{ subject: "channel", id, version: updated_at.toISOString() },
      action: `Send notifications to ${kind} '${name}'`,
      justification: "",
      summary: `Sends the events ${events.join(", ") || "of playbooks"} of all sites to ${to}`,
    });
    return { ...channel, enabled: false, approval_id };
  }

  return {
    async settle(tx: Tx, { approval_id, isApproved, actor }: HeldDecision): Promise<boolean> {
      const settled = await createChannelsWriter(tx, sealing).settle(approval_id, isApproved, clock.now());
      if (!settled) return false;
      await record(tx, { username: actor }, isApproved ? "channel.approved" : "channel.discarded", settled);
      return true;
    },

    async list(query: PageQuery): Promise<Page<ChannelBody>> {
      const page = await (await runtime.choose(stores)).list(query);
      return { ...page, items: page.items.map(toChannelBody) };
    },

    async get(id: string): Promise<ChannelBody> {
      const channel = await (await runtime.choose(stores)).find(id);
      if (!channel) throw notFound("channel", id);
      return toChannelBody(channel);
    },

    /**
     * Throws for an address that messages must not be sent to, such as a private one that the operator has not allowed.
     * Call it outside a transaction, because it resolves the name.
     */
    async requireReachable({
      kind = "webhook",
      settings,
    }: UpdateChannelRequest & { kind?: ChannelKind }): Promise<void> {
      const url = settings?.url;
      if (url === undefined) return;
      checkUrl(url);
      await outbound.check(kind, url, "settings.url");
    },

    async create(tx: Tx, caller: Caller, request: CreateChannelRequest): Promise<ChannelBody> {
      const writer = createChannelsWriter(tx, sealing);
      const channel = await hold(tx, caller, buildChannel(request, ids.next(), caller.username, clock.now()));
      if ((await writer.count()) >= MAX_CHANNELS) {
        throw new Problem("conflict", `channels: the limit of ${MAX_CHANNELS} is reached`);
      }
      if (!(await writer.insert(channel))) throw taken(channel);
      await record(tx, caller, "channel.created", channel);
      return toChannelBody(channel);
    },

    async update(
      tx: Tx,
      caller: Caller,
      id: string,
      patch: UpdateChannelRequest,
      ifMatch?: string,
    ): Promise<ChannelBody> {
      const writer = createChannelsWriter(tx, sealing);
      if (Object.keys(patch).length === 0) throw invalidField("body", "must contain a field of a channel");
      const channel = await lock(tx, id, ifMatch);
      // A channel that waits for an approval is disabled, but its new content is meant to be enabled.
      const meant = { ...channel, enabled: channel.enabled || Boolean(channel.approval_id) };
      const patched = patchChannel(meant, patch, updatedAt(channel, clock.now()));
      const changed = await hold(tx, caller, patched, channel);
      if (await writer.isNameTaken(changed)) throw taken(changed);
      await writer.update(changed);
      await record(tx, caller, "channel.updated", changed);
      return toChannelBody(changed);
    },

    async remove(tx: Tx, caller: Caller, id: string, ifMatch?: string) {
      const channel = await lock(tx, id, ifMatch);
      await createChannelsWriter(tx, sealing).delete(id);
      await record(tx, caller, "channel.deleted", channel);
      return { deleted: true, id };
    },

    /** Queues a test message like any other message; the deliveries show its outcome. */
    async test(tx: Tx, caller: Caller, id: string): Promise<DeliveryBody> {
      const channel = await lock(tx, id, undefined);
      if (channel.approval_id) {
        throw new Problem("conflict", `channel '${channel.name}' waits for approval '${channel.approval_id}'`);
      }
      const text = `This is a test of the channel '${channel.name}', sent by ${caller.username}.`;
      const at = clock.now().toISOString();
      const message = { type: "channel.tested", subject_id: id, at, text, data: {} };
      const given = { id: ids.next(), channel_id: id, event_id: null, type: "channel.tested", message };
      const [delivery] = await createDeliveriesWriter(tx).insert([given]);
      if (!delivery) throw notFound("channel", id);
      await record(tx, caller, "channel.tested", channel);
      return toDeliveryBody(delivery);
    },

    async listDeliveries(query: DeliveriesQuery): Promise<Page<DeliveryBody>> {
      const page = await (await runtime.choose(deliveries)).list(query);
      return { ...page, items: page.items.map(toDeliveryBody) };
    },
  };
}

function taken({ name }: Channel): Problem {
  return new Problem("conflict", `name: channel '${name}' already exists`);
}

import type {
  ChannelBody,
  CreateChannelRequest,
  UpdateChannelRequest,
} from "@soc/service/contract/response/notifications/channels";
import type { DeliveryBody } from "@soc/service/contract/response/notifications/deliveries";
import type { Changed } from "../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Channel = Wire<ChannelBody>;
export type Delivery = Wire<DeliveryBody>;

export const deliveriesKey = (channelId: string) => ["channels", "deliveries", channelId] as const;
const SHOWN_DELIVERIES = 20;

const at = (id: string) => `/notifications/channels/${encodeURIComponent(id)}`;

export const listChannels = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<Listed<Channel>>("/notifications/channels", { query, signal });

export const createChannel = (server: Server, channel: CreateChannelRequest) =>
  server.post<Changed<Channel>>("/notifications/channels", channel);

export const updateChannel = (server: Server, id: string, changes: UpdateChannelRequest) =>
  server.patch<Changed<Channel>>(at(id), changes);

export const removeChannel = (server: Server, id: string) => server.remove<Changed<{ deleted: boolean }>>(at(id));

export const testChannel = (server: Server, id: string) => server.post<Changed<Delivery>>(`${at(id)}/test`, {});

/** The newest of one channel. */
export const listDeliveries = (server: Server, channelId: string, signal?: AbortSignal) =>
  server.get<Listed<Delivery>>("/notifications/deliveries", {
    query: { channel_id: channelId, limit: SHOWN_DELIVERIES },
    signal,
  });

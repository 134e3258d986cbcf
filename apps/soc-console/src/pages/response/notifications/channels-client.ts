import type {
  ChannelBody,
  CreateChannelRequest,
  UpdateChannelRequest,
} from "@soc/service/contract/response/notifications/channels";
import type { DeliveryBody } from "@soc/service/contract/response/notifications/deliveries";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Channel = Wire<ChannelBody>;
export type Delivery = Wire<DeliveryBody>;

export const deliveriesKey = (channelId: string) => ["channels", "deliveries", channelId] as const;
const SHOWN_DELIVERIES = 20;

const at = (id: string) => `/notifications/channels/${encodeURIComponent(id)}`;

export const listChannels = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<ListResponse<Channel>>("/notifications/channels", { query, signal });

export const createChannel = (server: Server, channel: CreateChannelRequest) =>
  server.post<ChangeResult<Channel>>("/notifications/channels", channel);

export const updateChannel = (server: Server, id: string, changes: UpdateChannelRequest) =>
  server.patch<ChangeResult<Channel>>(at(id), changes);

export const removeChannel = (server: Server, id: string) => server.remove<ChangeResult<{ deleted: boolean }>>(at(id));

export const testChannel = (server: Server, id: string) => server.post<ChangeResult<Delivery>>(`${at(id)}/test`, {});

/** The most recent deliveries of one channel. */
export const listDeliveries = (server: Server, channelId: string, signal?: AbortSignal) =>
  server.get<ListResponse<Delivery>>("/notifications/deliveries", {
    query: { channel_id: channelId, limit: SHOWN_DELIVERIES },
    signal,
  });

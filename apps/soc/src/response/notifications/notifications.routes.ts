import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { ChannelBody, ChannelPath, CreateChannelRequest, UpdateChannelRequest } from "./channels.schema.ts";
import type { ChannelsService } from "./channels.service.ts";
import { DeliveriesQuery, DeliveryBody } from "./deliveries.schema.ts";

const reading = { needs: ["soar:manage"] } as const;
const change = { needs: ["soar:manage"], effect: "change" } as const;

export function notificationsRoutes(channels: ChannelsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/notifications/channels",
      {
        config: reading,
        schema: {
          operationId: "listChannels",
          summary: "List notification channels",
          querystring: PageQuery,
          response: { 200: PageOf(ChannelBody) },
        },
      },
      async ({ query }) => channels.list(query),
    );

    app.post(
      "/notifications/channels",
      {
        config: change,
        schema: {
          operationId: "createChannel",
          summary: "Create a notification channel",
          body: CreateChannelRequest,
          response: { 200: PreviewOf(ChannelBody), 201: ChannelBody },
        },
      },
      async (request, reply) => {
        await channels.requireReachable(request.body);
        const created = await changes.run(request, (tx, caller) => channels.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.get(
      "/notifications/channels/:id",
      {
        config: reading,
        schema: {
          operationId: "getChannel",
          summary: "Get a notification channel",
          params: ChannelPath,
          response: { 200: ChannelBody },
        },
      },
      async ({ params }) => channels.get(params.id),
    );

    app.patch(
      "/notifications/channels/:id",
      {
        config: change,
        schema: {
          operationId: "updateChannel",
          summary: "Update a notification channel",
          params: ChannelPath,
          body: UpdateChannelRequest,
          response: { 200: Type.Union([ChannelBody, PreviewOf(ChannelBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        await channels.requireReachable(body);
        const updated = await changes.run(request, (tx, caller) =>
          channels.update(tx, caller, params.id, body, headers["if-match"]),
        );
        return answer(reply, 200, updated);
      },
    );

    app.delete(
      "/notifications/channels/:id",
      {
        config: change,
        schema: {
          operationId: "deleteChannel",
          summary: "Delete a notification channel",
          params: ChannelPath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const deleted = await changes.run(request, (tx, caller) =>
          channels.remove(tx, caller, params.id, headers["if-match"]),
        );
        return answer(reply, 200, deleted);
      },
    );

    app.post(
      "/notifications/channels/:id/test",
      {
        config: change,
        schema: {
          operationId: "testChannel",
          summary: "Send a test notification",
          params: ChannelPath,
          response: { 200: PreviewOf(DeliveryBody), 201: DeliveryBody },
        },
      },
      async (request, reply) => {
        const tested = await changes.run(request, (tx, caller) => channels.test(tx, caller, request.params.id));
        return answer(reply, 201, tested);
      },
    );

    app.get(
      "/notifications/deliveries",
      {
        config: reading,
        schema: {
          operationId: "listDeliveries",
          summary: "List notification deliveries",
          querystring: DeliveriesQuery,
          response: { 200: PageOf(DeliveryBody) },
        },
      },
      async ({ query }) => channels.listDeliveries(query),
    );
  };
}

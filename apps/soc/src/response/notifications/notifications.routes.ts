import Type from "typebox";
import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { ChannelBody, ChannelPath, CreateChannelRequest, UpdateChannelRequest } from "./channels.schema.ts";
import type { ChannelsService } from "./channels.service.ts";
import { DeliveriesQuery, DeliveryBody } from "./deliveries.schema.ts";

const reading = { needs: ["soar:manage"] } as const;
const change = { needs: ["soar:manage"], effect: "change" } as const;

const SAME_ADDRESS = Type.Object({ settings: Type.Optional(Type.Never()) });

export function notificationsRoutes(channels: ChannelsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/notifications/channels",
      operation("listChannels", "List notification channels", reading, {
        querystring: PageQuery,
        response: { 200: PageOf(ChannelBody) },
      }),
      async ({ query }) => channels.list(query),
    );

    app.post(
      "/notifications/channels",
      operation(
        "createChannel",
        "Create a notification channel",
        { ...change, stepUp: true },
        {
          body: CreateChannelRequest,
          response: { 200: PreviewOf(ChannelBody), 201: ChannelBody },
        },
      ),
      async (request, reply) => {
        await channels.requireReachable(request.body);
        const created = await changes.run(request, (tx, caller) => channels.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.get(
      "/notifications/channels/:id",
      operation("getChannel", "Get a notification channel", reading, {
        params: ChannelPath,
        response: { 200: ChannelBody },
      }),
      async ({ params }) => channels.get(params.id),
    );

    app.patch(
      "/notifications/channels/:id",
      operation(
        "updateChannel",
        "Update a notification channel",
        { ...change, stepUp: { unless: SAME_ADDRESS } },
        {
          description: "Settings that are not named stay.",
          params: ChannelPath,
          body: UpdateChannelRequest,
          response: { 200: WithPreviewOf(ChannelBody) },
        },
      ),
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
      operation("deleteChannel", "Delete a notification channel", change, {
        description: "Its deliveries are removed, too.",
        params: ChannelPath,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          channels.remove(tx, caller, request.params.id, request.headers["if-match"]),
        ),
    );

    app.post(
      "/notifications/channels/:id/test",
      operation("testChannel", "Send a test notification", change, {
        description: "Answers a delivery, which is sent in the background.",
        params: ChannelPath,
        response: { 200: PreviewOf(DeliveryBody), 201: DeliveryBody },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) => channels.test(tx, caller, request.params.id)),
    );

    app.get(
      "/notifications/deliveries",
      operation("listDeliveries", "List notification deliveries", reading, {
        querystring: DeliveriesQuery,
        response: { 200: PageOf(DeliveryBody) },
      }),
      async ({ query }) => channels.listDeliveries(query),
    );
  };
}

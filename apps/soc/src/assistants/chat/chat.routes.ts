import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Clock } from "@kit/clock";
import { callerOf } from "../../foundation/caller/caller.ts";
import { openSink } from "../../foundation/events/sink.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import { ChatRequest } from "./chat.schema.ts";
import type { ChatService } from "./chat.service.ts";
import { sendEvents } from "./chat-stream.ts";

/** Streams end when the service closes: without this it would wait for each answer. */
export function chatRoutes(
  chat: Pick<ChatService, "accept" | "reply" | "close">,
  clock: Pick<Clock, "monotonicMs" | "sleep">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook("preClose", async () => chat.close());

    app.post(
      "/chat/stream",
      {
        config: { needs: "authenticated", bySite: "records", effect: "none", isChatMessage: true, logLane: "people" },
        schema: { operationId: "streamChatAnswer", summary: "Stream the answer to a chat message", body: ChatRequest },
      },
      async (request, reply) => {
        const accepted = await chat.accept(callerOf(request), request.body);
        const gone = abortOnDisconnect(reply);
        await sendEvents(chat.reply(accepted, gone), openSink(reply), { clock, gone });
        return reply;
      },
    );
  };
}

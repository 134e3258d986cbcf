import type { Clock } from "@kit/clock";
import { callerOf } from "../../foundation/caller/caller.ts";
import { openSink } from "../../foundation/events/sink.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import { ChatRequest } from "./chat.schema.ts";
import type { ChatService } from "./chat.service.ts";
import { sendEvents } from "./chat-stream.ts";

/** Ends streams when the service closes; otherwise closing would wait for every answer. */
export function chatRoutes(
  chat: Pick<ChatService, "accept" | "reply" | "close">,
  clock: Pick<Clock, "monotonicMs" | "sleep">,
): Routes {
  return async (app) => {
    app.addHook("preClose", async () => chat.close());

    app.post(
      "/chat/stream",
      operation(
        "streamChatAnswer",
        "Stream the answer to a chat message",
        { needs: "authenticated", bySite: "records", effect: "none", isChatMessage: true, logLane: "people" },
        { body: ChatRequest },
      ),
      async (request, reply) => {
        const accepted = await chat.accept(callerOf(request), request.body);
        const gone = abortOnDisconnect(reply);
        await sendEvents(chat.reply(accepted, gone), openSink(reply), { clock, gone });
        return reply;
      },
    );
  };
}

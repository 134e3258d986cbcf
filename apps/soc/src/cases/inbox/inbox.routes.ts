import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Ids } from "@kit/clock/ids";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { InboxCountBody, InboxItemBody, InboxQuery, ReadBody, ReadRequest } from "./inbox.schema.ts";
import type { InboxService } from "./inbox.service.ts";

const reading = { needs: "authenticated", bySite: "records" } as const;

export interface InboxRoutesDeps {
  inbox: InboxService;
  changes: ChangesService;
  ids: Pick<Ids, "next">;
}

export function inboxRoutes({ inbox, changes, ids }: InboxRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/inbox",
      {
        config: reading,
        preValidation: splitSeveral(["kind"]),
        schema: {
          operationId: "listInboxItems",
          summary: "List inbox items",
          querystring: InboxQuery,
          response: { 200: PageOf(InboxItemBody) },
        },
      },
      async (request) => inbox.list(callerOf(request), request.query),
    );

    app.get(
      "/inbox/count",
      {
        config: reading,
        schema: {
          operationId: "countInboxItems",
          summary: "Count unread inbox items",
          response: { 200: InboxCountBody },
        },
      },
      async (request) => inbox.countUnread(callerOf(request)),
    );

    app.post(
      "/inbox/read",
      {
        config: { needs: "authenticated", effect: "change", bySite: "records" },
        schema: {
          operationId: "markInboxItemsRead",
          summary: "Mark inbox items as read",
          body: ReadRequest,
          response: { 200: Type.Union([ReadBody, PreviewOf(ReadBody)]) },
        },
      },
      async (request, reply) => {
        const marked = await changes.run(request, (tx, caller) => inbox.markRead(tx, caller, request.body));
        if (!marked.dry_run) await inbox.announce([callerOf(request).username], ids.next());
        return answer(reply, 200, marked);
      },
    );
  };
}

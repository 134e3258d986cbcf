import type { Ids } from "@kit/clock/ids";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { InboxCountBody, InboxItemBody, InboxQuery, ReadBody, ReadRequest } from "./inbox.schema.ts";
import type { InboxService } from "./inbox.service.ts";

const reading = { needs: "authenticated", bySite: "records" } as const;

export interface InboxRoutesDeps {
  inbox: InboxService;
  changes: ChangesService;
  ids: Pick<Ids, "next">;
}

export function inboxRoutes({ inbox, changes, ids }: InboxRoutesDeps): Routes {
  return async (app) => {
    app.get(
      "/inbox",
      {
        ...operation("listInboxItems", "List inbox items", reading, {
          querystring: InboxQuery,
          response: { 200: PageOf(InboxItemBody) },
        }),
        preValidation: parseMultiValueParams(["kind"]),
      },
      async (request) => inbox.list(callerOf(request), request.query),
    );

    app.get(
      "/inbox/count",
      operation("countInboxItems", "Count unread inbox items", reading, { response: { 200: InboxCountBody } }),
      async (request) => inbox.countUnread(callerOf(request)),
    );

    app.post(
      "/inbox/read",
      operation(
        "markInboxItemsRead",
        "Mark inbox items as read",
        { needs: "authenticated", effect: "change", bySite: "records" },
        { body: ReadRequest, response: { 200: WithPreviewOf(ReadBody) } },
      ),
      async (request, reply) => {
        const marked = await changes.run(request, (tx, caller) => inbox.markRead(tx, caller, request.body));
        if (!marked.dry_run) await inbox.announce([callerOf(request).username], ids.next());
        return answer(reply, 200, marked);
      },
    );
  };
}

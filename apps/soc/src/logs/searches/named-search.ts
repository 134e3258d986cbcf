import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "../../foundation/caller/caller.ts";
import { onDisconnect } from "../../foundation/caller/disconnect.ts";
import type { SearchesService } from "./searches.service.ts";

export type BeginNamed = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Registers a request with a `search_id`, so that it can be cancelled. The hook runs before validation, so that a
 * search can also be cancelled while it waits for its turn.
 */
export function createNamedSearch(searches: Pick<SearchesService, "begin">): BeginNamed {
  return async (request, reply) => {
    const { query } = request;
    if (typeof query !== "object" || query === null || !("search_id" in query)) return;
    const { search_id } = query;
    const { signal, end } = searches.begin(callerOf(request), typeof search_id === "string" ? search_id : "");
    onDisconnect(reply, end);
    const { stopped } = request;
    request.stopped = stopped ? AbortSignal.any([stopped, signal]) : signal;
  };
}

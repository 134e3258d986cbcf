import type { Base } from "../../foundation/base.ts";
import type { LogStreams } from "../../foundation/events/log-streams.ts";
import { createMovedLogs, type MovedLogsDeps } from "./moved-logs.ts";
import { siteMovesRoutes } from "./site-moves.routes.ts";
import { createMovedLists, createSiteMovesService, type SiteMovesServiceDeps } from "./site-moves.service.ts";

export interface SiteMovesNeeds
  extends Pick<SiteMovesServiceDeps, "settings" | "writers" | "openMoves" | "openSites" | "partitions" | "ledger"> {
  logStore: MovedLogsDeps["logStore"];
  streams: { logs: Pick<LogStreams, "sources"> } | undefined;
}

/** Moves of sites from one cell to another. */
export function createSiteMoves(base: Base, needs: SiteMovesNeeds) {
  const logs = createMovedLogs(needs);
  const lists = base.sources(
    (db) => createMovedLists(db, logs),
    () => async () => [],
  );
  const moves = createSiteMovesService({ ...base, ...needs, streams: needs.streams?.logs, lists, logs });
  return { moves, routes: [siteMovesRoutes(moves, base.changes)] };
}

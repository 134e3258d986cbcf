import type { DeadLetterBody, IngestAnswer } from "@soc/service/contract/logs/intake/intake";
import type { Static } from "typebox";
import type { ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type DeadLetter = Wire<DeadLetterBody>;
export type ReplayResult = Static<typeof IngestAnswer>;

export const listDeadLetters = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<ListResponse<DeadLetter>>("/siem/dead-letters", { query, signal });

/** Parses the event again, unchanged or with another text. */
export const replayDeadLetter = (server: Server, id: string, raw?: string) =>
  server.post<ReplayResult>(`/siem/dead-letters/${encodeURIComponent(id)}/replay`, raw === undefined ? {} : { raw });

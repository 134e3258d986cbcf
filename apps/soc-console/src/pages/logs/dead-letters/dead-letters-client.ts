import type { DeadLetterBody, IngestAnswer } from "@soc/service/contract/logs/intake/intake";
import type { Static } from "typebox";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type DeadLetter = Wire<DeadLetterBody>;
export type Replayed = Static<typeof IngestAnswer>;

export const listDeadLetters = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<Listed<DeadLetter>>("/siem/dead-letters", { query, signal });

/** Parses the event again, as it came or with another text. */
export const replayDeadLetter = (server: Server, id: string, raw?: string) =>
  server.post<Replayed>(`/siem/dead-letters/${encodeURIComponent(id)}/replay`, raw === undefined ? {} : { raw });

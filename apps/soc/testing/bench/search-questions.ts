import type { SearchLogsQuery } from "../../src/logs/search/logs.schema.ts";
import { FILLED_DAY } from "./filled-engine.ts";

export const LIMIT = 50;
const HOURS = 60 * 60_000;

const day = { from: FILLED_DAY.from, to: FILLED_DAY.to, limit: LIMIT };
/** Searches of a person in a filled engine, different each time. */
export const SEARCHES: Readonly<Record<string, (turn: number) => SearchLogsQuery>> = {
  "a rare word": (turn) => ({ ...day, query: `rare${turn % 40}` }),
  "one hour, a host and a severity": (turn) => ({
    ...day,
    query: `host:host${(turn * 50) % 400} severity:high`,
    from: new Date(FILLED_DAY.startMs + (turn % 23) * HOURS).toISOString(),
    to: new Date(FILLED_DAY.startMs + ((turn % 23) + 1) * HOURS).toISOString(),
  }),
  "an address": (turn) => ({ ...day, query: `src_ip:10.${turn % 7}.${turn}.${turn}` }),
};

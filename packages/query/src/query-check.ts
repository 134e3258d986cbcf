import { Problem } from "@kit/problem";
import { parseQuery, type QueryOptions } from "./query.ts";
import type { QueryFault } from "./query-syntax.ts";

/** What is wrong with a query, and where: `from` and `to` count UTF-16 units, as an editor does. */
export interface QueryProblem {
  message: string;
  from: number;
  to: number;
}

/** The first problem of a query; none for one that can be searched. */
export function checkQuery(text: string, options?: QueryOptions): QueryProblem[] {
  try {
    parseQuery(text, options);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { cause, message } = error;
    return [isFault(cause) ? locate(text, cause) : { message, from: 0, to: text.length }];
  }
}

/** From the place to the end of the word that begins there. */
function locate(text: string, { reason, place }: QueryFault): QueryProblem {
  const [word = ""] = /^(?:"[^"]*"?|[^\s()]+|[()])/.exec(text.slice(place)) ?? [];
  return { message: reason, from: place, to: place + word.length };
}

function isFault(cause: unknown): cause is QueryFault {
  return typeof cause === "object" && cause !== null && "reason" in cause && "place" in cause;
}

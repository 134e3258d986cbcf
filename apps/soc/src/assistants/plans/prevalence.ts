import { cite } from "../investigations/findings.ts";
import { readPrevalence } from "./answers.ts";
import { askPrevalence } from "./calls.ts";
import type { Subject } from "./plan.ts";
import { count, quote, type Step } from "./step.ts";
import { computeWindow, daysUpTo, ownEvents } from "./subject.ts";

/** How far back a value is counted. */
const DAYS = 7;

export interface CountedValue {
  /** `The program`. */
  noun: string;
  /** As a query names it. */
  field: string;
  value: string;
  /** What is counted: on how many hosts it is, or how many users it has. */
  counted: "host" | "user";
}

/** How common a value of the alert's own events is; the sentence cites these events. */
export function countValue(subject: Subject, { noun, field, value, counted }: CountedValue): Step {
  const own = field.replace(/^attributes\./, "");
  return {
    call: askPrevalence(field, value, daysUpTo(computeWindow(subject), DAYS)),
    conclude(answer) {
      const shown = ownEvents(subject, [own], value);
      const found = readPrevalence(answer);
      const places = counted === "host" ? found?.host_count : found?.user_count;
      if (!found || found.total === 0 || places === undefined || places === 0 || shown.length === 0) return [];
      const isExact = found.total_is_estimate !== true;
      const isComplete = isExact && found.sampled >= found.total;
      const events = count(found.total, "event", isExact);
      const where =
        counted === "host" ? `on ${count(places, "host", isComplete)}` : `of ${count(places, "user", isComplete)}`;
      const statement = `${noun} ${quote(value)} has ${events} ${where} in the ${DAYS} days up to the alert.`;
      return [cite(statement, shown, [own])];
    },
  };
}

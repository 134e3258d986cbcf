import { cite } from "../investigations/findings.ts";
import { askPrevalence, readPrevalence } from "./answers.ts";
import { count, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, daysUpTo, ownEvents } from "./subject.ts";

/** The number of days to count. */
const DAYS = 7;

export interface CountedValue {
  /** `The program`. */
  noun: string;
  /** As in a query. */
  field: string;
  value: string;
  /** Whether to count hosts or users. */
  counted: "host" | "user";
}

/** Reports how common a value of the alert's events is, citing these events. */
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

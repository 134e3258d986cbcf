import { formatTerm, quoteText } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { textOf } from "../investigations/event-facts.ts";
import { eitherAddress, readEvents, searchLogs } from "./answers.ts";
import { citeMentions, count, createPlan, quote, type Step, type Subject } from "./step.ts";
import {
  computeWindow,
  daysBefore,
  isNamedIn,
  listAddresses,
  listHashes,
  listIndicators,
  listValues,
} from "./subject.ts";

const DAYS = 30;
const MAX_EACH = 2;

interface Trace {
  value: string;
  query: string;
  isIn: (event: LogEvent) => boolean;
}

function listTraces(subject: Subject): Trace[] {
  const addresses = listAddresses(subject, "dst_ip", "src_ip").slice(0, MAX_EACH);
  // A network or address would be searched as text, which also matches longer addresses.
  const names = listIndicators(subject).filter(({ type }) => type === "domain" || type === "url" || type === "email");
  const texts = [...names.map(({ value }) => value), ...listHashes(subject)].slice(0, MAX_EACH);
  const lines = listValues(subject, ["CommandLine"]).slice(0, MAX_EACH);
  return [
    ...texts.map((value) => ({ value, query: quoteText(value), isIn: (event: LogEvent) => isNamedIn(event, value) })),
    ...addresses.map((value) => ({
      value,
      query: eitherAddress(value),
      isIn: ({ src_ip, dst_ip }: LogEvent) => src_ip === value || dst_ip === value,
    })),
    ...lines.map((value) => ({
      value,
      query: formatTerm("attributes.CommandLine", value),
      isIn: (event: LogEvent) => textOf(event, "CommandLine").toLowerCase() === value.toLowerCase(),
    })),
  ];
}

function searchEarlier(subject: Subject, { value, query, isIn }: Trace): Step {
  return {
    call: searchLogs(query, daysBefore(computeWindow(subject), DAYS)),
    conclude(answer) {
      const found = readEvents(answer);
      const shown = found?.events.filter(isIn).toReversed() ?? [];
      const [latest] = shown;
      if (!found || !latest) return [];
      const events = count(shown.length, "event", found.isComplete && shown.length === found.events.length);
      const where = latest.host === "" ? "" : ` on ${quote(latest.host)}`;
      const said = `In the ${DAYS} days before the hour of the alert ${quote(value)} occurs in ${events}`;
      return [citeMentions(`${said}, the latest${where} at ${latest.timestamp}.`, shown, value, ["timestamp", "host"])];
    },
  };
}

/** Searches for traces of the same observables and command lines before the window of the investigation. */
export const THREAT_HUNT_PLAN = createPlan("agent-005", {
  isTriggered: (subject) => listTraces(subject).length > 0,
  steps: (subject) => listTraces(subject).map((trace) => searchEarlier(subject, trace)),
});

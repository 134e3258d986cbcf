import { unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import { formatTerm, quoteText } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { cite, type Finding } from "../investigations/findings.ts";
import { readCase, readEvents, searchLogs } from "./answers.ts";
import { citeMentions, count, createPlan, endsFirst, formatSpan, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, isNamedIn, listHosts, listIndicators, listUsers, listValues } from "./subject.ts";

const LIMITS = { hosts: 2, users: 1, indicators: 2, sources: 3, observables: 3, places: 5 } as const;

/** Searches for events of other sensors about the same host or user with severity high or critical. */
function searchOtherSources(subject: Subject, field: "host" | "user", value: string): Step {
  const own = listValues(subject, ["source"]).slice(0, LIMITS.sources);
  const others = own.map((source) => ` AND NOT ${formatTerm("source", source)}`).join("");
  const unify = field === "host" ? unifyHost : unifyUser;
  return {
    call: searchLogs(`${formatTerm(field, value)} AND severity:(high OR critical)${others}`, computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const about = found?.events.filter((event) => unify(event[field]) === unify(value) && isGrave(event)) ?? [];
      const sources = [...new Set(about.map(({ source }) => source))].filter((source) => !own.includes(source));
      return sources.toSorted().map((source) => {
        const events = about.filter((event) => event.source === source);
        const times = count(events.length, "event", found?.isComplete === true);
        const said = `The source ${quote(source)} rated ${times} of the ${field} ${quote(value)} high or critical`;
        const fields = ["source", "severity", field, "timestamp"];
        return cite(`${said}, ${formatSpan(events)}.`, endsFirst(events), fields);
      });
    },
  };
}

function isGrave({ severity }: LogEvent): boolean {
  return severity === "high" || severity === "critical";
}

/** Searches for an indicator of the alert on other hosts within the hour. */
function searchElsewhere(subject: Subject, value: string): Step {
  const own = new Set(listHosts(subject).map(unifyHost));
  return {
    call: searchLogs(quoteText(value), computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer)?.events.filter((event) => isNamedIn(event, value)) ?? [];
      const places = new Map(found.toReversed().map((event) => [unifyHost(event.host), event]));
      const named = [...places].filter(([host]) => host !== "" && !own.has(host)).map(([, event]) => event);
      const shown = named.toSorted((a, b) => (a.host < b.host ? -1 : 1)).slice(0, LIMITS.places);
      if (shown.length === 0) return [];
      const hosts = shown.map(({ host }) => quote(host)).join(", ");
      return [
        citeMentions(`The indicator ${quote(value)} of the alert also occurs on ${hosts}.`, shown, value, ["host"]),
      ];
    },
  };
}

/** Finds observables of the case that the alert's events also contain. */
function readOwnCase({ alert, events }: Subject, case_id: string): Step {
  return {
    call: { tool: "get_case", input: { case_id } },
    conclude(answer) {
      const known = (readCase(answer)?.observables ?? []).map(({ value }) => value);
      const values = [...new Set(known)].filter((value) => value.trim() !== "" && !alert.iocs.includes(value));
      return values
        .toSorted()
        .flatMap((value): Finding[] => {
          const shown = events.filter((event) => isNamedIn(event, value));
          const said = `The events contain ${quote(value)}, which the case of the alert lists as an observable.`;
          return shown.length === 0 ? [] : [citeMentions(said, shown, value)];
        })
        .slice(0, LIMITS.observables);
    },
  };
}

function listSteps(subject: Subject): Step[] {
  const { case_id } = subject.alert;
  const names = listIndicators(subject).filter(({ type }) => type !== "cidr");
  return [
    ...(case_id === null ? [] : [readOwnCase(subject, case_id)]),
    ...names.slice(0, LIMITS.indicators).map(({ value }) => searchElsewhere(subject, value)),
    ...listHosts(subject)
      .slice(0, LIMITS.hosts)
      .map((host) => searchOtherSources(subject, "host", host)),
    ...listUsers(subject)
      .slice(0, LIMITS.users)
      .map((user) => searchOtherSources(subject, "user", user)),
  ];
}

/** Relates the entities of the alert to other sensors, other hosts and the case. */
export const CORRELATION_PLAN = createPlan("agent-003", {
  isTriggered: (subject) => listSteps(subject).length > 0,
  steps: listSteps,
});

import { formatTerm } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { cite, type Finding } from "../investigations/findings.ts";
import { readEvents, searchLogs } from "./answers.ts";
import { count, createPlan, endsFirst, formatSpan, groupBy, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, daysUpTo, listAddresses } from "./subject.ts";

const MAX_EACH = 2;
const DAYS = 7;

/** A beacon has at least this many contacts, this far apart, with this share of intervals close to the usual one. */
const BEACON = { contacts: 8, intervalMs: 5000, share: 0.8, tolerance: 0.1 } as const;
/** A machine that reaches this many others within two hours is scanning. */
const MIN_REACHED = 10;

function searchContacts(subject: Subject, address: string): Step {
  const window = computeWindow(subject);
  return {
    call: searchLogs(formatTerm("dst_ip", address), daysUpTo(window, DAYS)),
    conclude(answer) {
      const found = readEvents(answer);
      const contacts = found?.events.filter(({ dst_ip }) => dst_ip === address) ?? [];
      const [first] = contacts;
      // The first contact is unknown if only some events were read.
      const isFirst = found?.isComplete === true && first !== undefined && first.timestamp >= window.from;
      const said = `In the logs of the ${DAYS} days before, the first contact with ${address} is at ${first?.timestamp}.`;
      return [
        ...(isFirst ? [cite(said, [first], ["dst_ip", "timestamp"])] : []),
        ...describeBeacons(address, contacts),
      ];
    },
  };
}

function describeBeacons(address: string, contacts: readonly LogEvent[]): Finding[] {
  const senders = groupBy(contacts, ({ host, src_ip }) => host || src_ip);
  return [...senders]
    .filter(([sender]) => sender !== "")
    .flatMap(([sender, sent]) => {
      const events = [...new Map(sent.map((event) => [event.timestamp, event])).values()];
      const intervalMs = findInterval(events.map(({ timestamp }) => Date.parse(timestamp)));
      if (intervalMs === undefined) return [];
      const often = `contacted ${address} ${events.length} times, about every ${Math.round(intervalMs / 1000)} seconds`;
      const fields = ["host", "src_ip", "dst_ip", "timestamp"];
      return [cite(`${quote(sender)} ${often}, ${formatSpan(events)}.`, endsFirst(events), fields)];
    });
}

/** Returns the usual interval between these times if most intervals are close to it. */
function findInterval(times: readonly number[]): number | undefined {
  const intervals = times.slice(1).map((time, place) => time - (times[place] ?? time));
  const median = intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)];
  if (times.length < BEACON.contacts || median === undefined || median < BEACON.intervalMs) return undefined;
  const regular = intervals.filter((each) => Math.abs(each - median) <= median * BEACON.tolerance);
  return regular.length >= intervals.length * BEACON.share ? median : undefined;
}

/** Counts the other machines that an address reaches. */
function searchReached(subject: Subject, address: string): Step {
  return {
    call: searchLogs(`${formatTerm("src_ip", address)} AND dst_ip:*`, computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const sent = found?.events.filter(({ src_ip, dst_ip }) => src_ip === address && dst_ip !== "") ?? [];
      const targets = [...new Map(sent.toReversed().map((event) => [event.dst_ip, event])).values()].toReversed();
      if (!found || targets.length < MIN_REACHED) return [];
      const reached = count(targets.length, "other address", found.isComplete);
      const span = formatSpan(sent);
      return [
        cite(
          `${address} reached ${reached} ${span}.`,
          [...endsFirst(sent).slice(0, 2), ...targets],
          ["src_ip", "dst_ip", "timestamp"],
        ),
      ];
    },
  };
}

/** Finds first contacts, beacons and sweeps of the alert's addresses. */
export const NETWORK_PLAN = createPlan("agent-009", {
  isTriggered: (subject) => listAddresses(subject, "src_ip", "dst_ip").length > 0,
  steps: (subject) => [
    ...listAddresses(subject, "dst_ip")
      .slice(0, MAX_EACH)
      .map((address) => searchContacts(subject, address)),
    ...listAddresses(subject, "src_ip")
      .slice(0, MAX_EACH)
      .map((address) => searchReached(subject, address)),
  ],
});

import { unifyHost } from "../../foundation/records/entity-name.ts";
import { formatTerm } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { firstTextOf } from "../investigations/event-facts.ts";
import { cite } from "../investigations/findings.ts";
import { readEvents, searchLogs } from "./answers.ts";
import { attestedVerdict, MEASUREMENT_FIELDS } from "./event-kinds.ts";
import { count, createPlan, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, daysUpTo, listHosts, listValues } from "./subject.ts";

const DAYS = 30;
const LIMITS = { measurements: 2, devices: 2, named: 8 } as const;

function isRejected(event: LogEvent): boolean {
  return ["untrusted", "failed"].includes(attestedVerdict(event));
}

function rejectedIn(subject: Subject): Subject {
  return { ...subject, events: subject.events.filter(isRejected) };
}

/** Searches for devices with the same measurement. */
function searchMeasurement(subject: Subject, measurement: string): Step {
  const query = MEASUREMENT_FIELDS.map((name) => formatTerm(`attributes.${name}`, measurement)).join(" OR ");
  return {
    call: searchLogs(query, daysUpTo(computeWindow(subject), DAYS)),
    conclude(answer) {
      const found = readEvents(answer);
      const isSame = (event: LogEvent) =>
        firstTextOf(event, MEASUREMENT_FIELDS).toLowerCase() === measurement.toLowerCase();
      const attested = found?.events.filter((event) => event.host !== "" && isSame(event)) ?? [];
      const devices = [...new Map(attested.toReversed().map((event) => [unifyHost(event.host), event]))];
      const named = devices
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, event]) => event)
        .slice(0, LIMITS.named);
      const [first] = attested;
      if (!found || !first) return [];
      const times = count(devices.length, "device", found.isComplete);
      const hosts = named.map(({ host }) => quote(host)).join(", ");
      const said = `The measurement ${quote(measurement)} is attested by ${times}: ${hosts}.`;
      return [cite(said, named, ["host", ...MEASUREMENT_FIELDS])];
    },
  };
}

/** Searches for the last time at which the device was trusted. */
function searchTrusted(subject: Subject, host: string): Step {
  return {
    call: searchLogs(
      `${formatTerm("host", host)} AND attributes.verdict:trusted`,
      daysUpTo(computeWindow(subject), DAYS),
    ),
    conclude(answer) {
      const isAbout = (event: LogEvent) =>
        unifyHost(event.host) === unifyHost(host) && attestedVerdict(event) === "trusted";
      const found = readEvents(answer);
      const newest = found?.events.findLast(isAbout);
      // The newest event may lack its verdict.
      if (!newest || found?.isShortened !== false) return [];
      const measured = firstTextOf(newest, MEASUREMENT_FIELDS);
      const what = measured === "" ? "" : ` with the measurement ${quote(measured)}`;
      const said = `${quote(host)} was last trusted at ${newest.timestamp}${what}.`;
      return [cite(said, [newest], ["host", "verdict", "timestamp", ...MEASUREMENT_FIELDS])];
    },
  };
}

/** Finds devices with the same unknown measurement, and when the device was last trusted. */
export const FIRMWARE_PLAN = createPlan("agent-013", {
  isTriggered: ({ events }) => events.some(isRejected),
  steps: (subject) => [
    ...listValues(rejectedIn(subject), MEASUREMENT_FIELDS)
      .slice(0, LIMITS.measurements)
      .map((measurement) => searchMeasurement(subject, measurement)),
    ...listHosts(rejectedIn(subject))
      .slice(0, LIMITS.devices)
      .map((host) => searchTrusted(subject, host)),
  ],
});

import { unifyHost } from "../../foundation/records/entity-name.ts";
import { formatTerm } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { cite, type Finding } from "../investigations/findings.ts";
import { readEvents, searchLogs } from "./answers.ts";
import { attestedVerdict, isOfDevice } from "./event-kinds.ts";
import { count, createPlan, endsFirst, formatSpan, groupBy, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, daysUpTo, listHosts } from "./subject.ts";

const MAX_DEVICES = 3;
const DAYS = 7;
const WRITES = /^(?:write|command|set|control|start|stop|download)/i;

function onHost(host: string, events: readonly LogEvent[]): LogEvent[] {
  return events.filter((event) => unifyHost(event.host) === unifyHost(host));
}

/** Searches for the latest attestation of the device. */
function searchAttestations(subject: Subject, host: string): Step {
  return {
    call: searchLogs(`${formatTerm("host", host)} AND attributes.verdict:*`, daysUpTo(computeWindow(subject), DAYS)),
    conclude(answer) {
      const found = readEvents(answer);
      const attested = onHost(host, found?.events ?? []).filter((event) => attestedVerdict(event) !== "");
      const newest = attested.at(-1);
      // The newest event may lack its verdict.
      if (!newest || found?.isShortened !== false) return [];
      const verdict = attestedVerdict(newest);
      const said = `The newest attestation of ${quote(host)} up to an hour after the alert is ${verdict}, at ${newest.timestamp}.`;
      return [cite(said, [newest], ["host", "verdict", "timestamp"])];
    },
  };
}

/** Searches for commands to the device, their senders, and refusals. */
function searchCommands(subject: Subject, host: string): Step {
  const query = `${formatTerm("host", host)} AND action:(write* OR command* OR set* OR control* OR start* OR stop* OR download*)`;
  return {
    call: searchLogs(query, computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const commands = onHost(host, found?.events ?? []).filter(
        (event) => WRITES.test(event.action) && isOfDevice(event),
      );
      const senders = groupBy(commands, ({ src_ip, user }) => src_ip || user);
      return [...senders].flatMap(([sender, sent]): Finding[] => {
        const times = count(sent.length, "command", found?.isComplete === true);
        const from = sender === "" ? "" : ` from ${quote(sender)}`;
        const refused = sent.filter(({ outcome }) => /^(?:failure|failed|denied|refused)$/i.test(outcome));
        const result = `${refused.length === sent.length ? "all" : refused.length} of them refused`;
        const said = `${quote(host)} got ${times}${from} ${formatSpan(sent)}, ${result}.`;
        return [cite(said, endsFirst(sent), ["host", "src_ip", "user", "action", "outcome", "timestamp"])];
      });
    },
  };
}

/** Reads the attestations of the alert's devices and the commands to them. */
export const CPS_GUARD_PLAN = createPlan("agent-012", {
  isTriggered: ({ has_cps_assets, events }) => has_cps_assets || events.some(isOfDevice),
  steps: (subject) =>
    listHosts(subject)
      .slice(0, MAX_DEVICES)
      .flatMap((host) => [searchAttestations(subject, host), searchCommands(subject, host)]),
});

import type { Static } from "typebox";
import { unifyHost } from "../../foundation/records/entity-name.ts";
import { formatTerm } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { nameOf } from "../investigations/event-facts.ts";
import { ANY_FIELD, type Claim, cite, type Finding } from "../investigations/findings.ts";
import type { ProcessTreeOutput } from "../tools/read-tools.schema.ts";
import { readEvents, readTree, searchLogs } from "./answers.ts";
import { count, createPlan, endsFirst, formatSpan, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, listHosts, listImages, ownEvents } from "./subject.ts";

const MAX_EACH = 2;
const MAX_CITED = 10;

interface Change {
  codes: readonly string[];
  /** Distinguishes providers that use the same number. */
  source: RegExp;
  words: string;
}

/** Events that Windows logs when a machine is prepared or traces are removed. */
const CHANGES: readonly Change[] = [
  { codes: ["1102"], source: /security|eventlog/i, words: "the security log was cleared" },
  { codes: ["104"], source: /^system$|eventlog/i, words: "an event log was cleared" },
  { codes: ["7045"], source: /^system$|service control manager/i, words: "a service was installed" },
  { codes: ["4697"], source: /security/i, words: "a service was installed" },
  { codes: ["4698"], source: /security/i, words: "a scheduled task was created" },
  { codes: ["4719"], source: /security/i, words: "the audit policy was changed" },
  { codes: ["5001", "5010", "5012"], source: /defender/i, words: "a protection of Defender was disabled" },
  { codes: ["1116", "1117"], source: /defender/i, words: "Defender reported malware" },
];

function searchChanges(subject: Subject, host: string): Step {
  const codes = CHANGES.flatMap((change) => change.codes).join(" OR ");
  return {
    call: searchLogs(`${formatTerm("host", host)} AND event_code:(${codes})`, computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const here = found?.events.filter((event) => unifyHost(event.host) === unifyHost(host)) ?? [];
      return CHANGES.flatMap((change): Finding[] => {
        const events = here.filter((event) => shows(event, change));
        const times = count(events.length, "event", found?.isComplete === true);
        const said = `On ${quote(host)} ${change.words}: ${times} ${formatSpan(events)}.`;
        return events.length === 0 ? [] : [cite(said, endsFirst(events), ["host", "event_code", "timestamp"])];
      });
    },
  };
}

function shows({ event_code, source }: LogEvent, change: Change): boolean {
  return change.codes.includes(event_code) && change.source.test(source);
}

type ProcessNode = Static<typeof ProcessTreeOutput>["processes"][number];

/** Lists the processes that a program of the alert started, directly or indirectly. */
function readDescendants(subject: Subject, host: string, image: string): Step {
  const process = nameOf(image);
  const here = { ...subject, events: ownEvents(subject, ["host"], host) };
  return {
    call: { tool: "process_tree", input: { host, process, ...computeWindow(subject) } },
    conclude(answer) {
      const tree = readTree(answer);
      const started = listDescendants(tree?.processes ?? [], process);
      const last = started.at(-1);
      if (!tree || !last || started.length < 2) return [];
      const times = count(started.length, "process", tree.is_complete);
      const said = `From ${quote(process)} on ${quote(host)} descend ${times}, the last started at ${last.started_at}.`;
      const own = cite(said, ownEvents(here, ["process"], image).slice(0, 1), ["host", "process"]);
      const shown = [last, ...started.filter((each) => each !== last)].slice(0, MAX_CITED);
      return [
        {
          statement: said,
          evidence_ids: [...new Set([...own.evidence_ids, ...shown.map(({ log_id }) => log_id)])],
          claims: [...own.claims, ...shown.flatMap((each) => claimStart(each, host))],
        },
      ];
    },
  };
}

function claimStart({ log_id, name, started_at }: StartedProcess, host: string): Claim[] {
  return [
    { log_id, field: "host", value: host },
    { log_id, field: "timestamp", value: started_at },
    ...(name === "" ? [] : [{ log_id, field: ANY_FIELD, value: name }]),
  ];
}

interface StartedProcess {
  log_id: string;
  name: string;
  started_at: string;
}

/**
 * Lists descendants, oldest first. Process ids are reused, so each process is visited once, and no child is older than
 * its parent.
 */
function listDescendants(nodes: readonly ProcessNode[], process: string): StartedProcess[] {
  const roots = nodes.filter(({ name }) => name !== null && nameOf(name) === process);
  const reached = new Set<ProcessNode>();
  const next = [...roots];
  for (let node = next.pop(); node; node = next.pop()) {
    const { id, started_at } = node;
    const isChild = (each: ProcessNode) => each.parent_id === id && (each.started_at ?? "") >= (started_at ?? "");
    const children = nodes.filter((each) => isChild(each) && !reached.has(each));
    for (const child of children) reached.add(child);
    next.push(...children);
  }
  return [...reached]
    .flatMap(({ log_id, name, started_at }) =>
      log_id === null || started_at === null ? [] : [{ log_id, name: nameOf(name ?? ""), started_at }],
    )
    .toSorted((a, b) => (`${a.started_at} ${a.name}` < `${b.started_at} ${b.name}` ? -1 : 1));
}

/** Reads the changes on the alert's hosts and the descendants of its programs. */
export const ENDPOINT_PLAN = createPlan("agent-010", {
  isTriggered: (subject) => listHosts(subject).length > 0,
  steps: (subject) =>
    listHosts(subject)
      .slice(0, MAX_EACH)
      .flatMap((host) => [
        searchChanges(subject, host),
        ...listImages({ ...subject, events: ownEvents(subject, ["host"], host) })
          .filter((image) => nameOf(image) !== "")
          .slice(0, MAX_EACH)
          .map((image) => readDescendants(subject, host, image)),
      ]),
});

import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { type Alert, mergeEntities, NO_ENTITIES } from "../../alerts/module.ts";
import type { BundleBody, ProvenEntryBody } from "../../cases/ledger/ledger.schema.ts";
import type { CaseDetail, Evidence } from "../../cases/module.ts";
import {
  type Block,
  facts,
  heading,
  paragraph,
  type ReportDocument,
  SEVERITY_COLORS,
  table,
  timeText,
} from "./report-document.ts";

/** A response to a case: a playbook execution, a decision, or an action on an endpoint. */
export interface ResponseFact {
  at: Date;
  /** For example "playbook", "approval" or "endpoint". */
  kind: string;
  what: string;
  status: string;
  by: string;
}

export interface InvestigationFacts {
  found: CaseDetail;
  alerts: { items: readonly Alert[]; total: number };
  responses: readonly ResponseFact[];
  /** Undefined if the case has no entry in the ledger. */
  bundle: BundleBody | undefined;
  /** Why there is no bundle although the ledger has entries. */
  ledgerAlarm: string | undefined;
}

type ReportOrigin = Pick<ReportDocument, "made_at" | "made_by">;

const MAX_ROWS = 100;
const MAX_TEXT_LENGTH = 2000;
const MAX_BUNDLE_LENGTH = 1024 * 1024;

export function buildInvestigationReport(all: InvestigationFacts, made: ReportOrigin): ReportDocument {
  const { found, bundle } = all;
  const isCarried = bundle !== undefined && JSON.stringify(bundle).length <= MAX_BUNDLE_LENGTH;
  return {
    ...made,
    title: found.title,
    report_type: "investigation",
    subject: `Investigation of case ${found.id}`,
    blocks: [
      ...buildSummaryBlocks(all),
      ...buildTimelineBlocks(found),
      ...buildAlertBlocks(all),
      ...buildObservableBlocks(found),
      ...buildEvidenceBlocks(found, bundle),
      ...buildTaskBlocks(found),
      ...buildCommentBlocks(found),
      ...buildResponseBlocks(all.responses),
      ...buildLedgerBlocks(all, isCarried),
    ],
    ledger_bundle: isCarried ? bundle : null,
  };
}

function buildSummaryBlocks({ found, alerts, responses }: InvestigationFacts): Block[] {
  const techniques = listTechniques(alerts.items);
  const received = alerts.items.flatMap(({ first_seen, last_seen }) => [first_seen, last_seen]);
  const happened = alerts.items.flatMap(({ event_first_at, event_last_at }) => [event_first_at, event_last_at]);
  return [
    heading("Summary"),
    paragraph(limitLength(found.description) || "The case has no description."),
    facts(
      ["Severity", found.severity],
      ["Status", found.requires_human_approval ? `${found.status}, a person must approve` : found.status],
      ["Assignee", found.assignee ?? "unassigned"],
      ["Opened", timeText(found.created_at)],
      ["Last changed", timeText(found.updated_at)],
      ["Closed", found.closed_at ? timeText(found.closed_at) : "not closed"],
      ["Events happened", spanText(happened) ?? "not known"],
      ["Reports received", spanText(received) ?? "no alerts"],
      ["Contents", contentsText(found, alerts.total, responses.length)],
      ["ATT&CK techniques", techniques.length === 0 ? "none named" : techniques.join(", ")],
    ),
    ...severityChart(alerts.items),
    ...buildEntityBlocks(alerts.items),
  ];
}

/** Returns undefined if no time is known. */
function spanText(times: readonly (Date | null)[]): string | undefined {
  const known = times.flatMap((time) => (time === null ? [] : [time.getTime()]));
  if (known.length === 0) return undefined;
  return `${timeText(new Date(Math.min(...known)))} to ${timeText(new Date(Math.max(...known)))}`;
}

/** Lists the entities of the case's alerts. */
function buildEntityBlocks(alerts: readonly Alert[]): Block[] {
  const all = alerts.reduce((sum, { entities }) => mergeEntities(sum, entities), NO_ENTITIES);
  const rows = [
    ...all.hosts.map((entity) => ({ ...entity, kind: "host" })),
    ...all.users.map((entity) => ({ ...entity, kind: "user" })),
    ...all.addresses.map((entity) => ({ ...entity, kind: "address" })),
  ].map(({ kind, name, full_name, count }) => [kind, name, full_name === name ? "–" : full_name, String(count)]);
  const columns = [
    { name: "Entity", weight: 14 },
    { name: "Name", weight: 36 },
    { name: "Full name", weight: 36 },
    { name: "Occurrences", weight: 14 },
  ];
  const incomplete = all.is_complete ? [] : [paragraph("More entities were seen than the alerts list.")];
  return [
    heading("Entities"),
    table(columns, rows.slice(0, MAX_ROWS), { total: rows.length, empty: "The alerts name no host, user or address." }),
    ...incomplete,
  ];
}

function contentsText({ totals }: CaseDetail, alerts: number, responses: number): string {
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  return [
    counted(alerts, "alert"),
    counted(totals.observables, "observable"),
    `${counted(totals.evidence, "piece")} of evidence`,
    counted(totals.tasks, "task"),
    counted(totals.comments, "comment"),
    counted(responses, "response"),
  ].join(", ");
}

function listTechniques(alerts: readonly Alert[]): string[] {
  return [...new Set(alerts.flatMap(({ mitre_techniques }) => mitre_techniques))].toSorted();
}

function severityChart(alerts: readonly Alert[]): Block[] {
  if (alerts.length === 0) return [];
  const points = SEVERITIES.map((severity) => ({
    label: severity,
    value: alerts.filter((alert) => alert.severity === severity).length,
    ...(SEVERITY_COLORS[severity] && { color: SEVERITY_COLORS[severity] }),
  }));
  return [{ kind: "chart", form: "donut", title: "Alerts by severity", points }];
}

function buildTimelineBlocks({ timeline, totals }: CaseDetail): Block[] {
  const shown = timeline.slice(0, MAX_ROWS).toReversed();
  const entries = shown.map(({ timestamp, agent, action }) => ({
    at: timeText(timestamp),
    actor: agent,
    text: limitLength(action),
  }));
  return [heading("Timeline"), { kind: "timeline", entries, more: totals.timeline - entries.length }];
}

function buildAlertBlocks({ alerts }: InvestigationFacts): Block[] {
  const rows = alerts.items
    .slice(0, MAX_ROWS)
    .toReversed()
    .map(({ title, description, severity, status, source, host, user, mitre_techniques, ...times }) => [
      happenedText(times),
      severity,
      description === null ? title : `${title}\n${limitLength(description)}`,
      [source, host, user].filter((each) => each !== null).join("\n"),
      `${status}\n${mitre_techniques.join(", ")}`.trim(),
    ]);
  const columns = [
    { name: "Happened", weight: 17 },
    { name: "Severity", weight: 10 },
    { name: "Alert", weight: 39 },
    { name: "Source, host, user", weight: 18 },
    { name: "Status, techniques", weight: 16 },
  ];
  return [heading("Alerts"), table(columns, rows, { total: alerts.total, empty: "No alert is linked." })];
}

/** Returns when the events of an alert happened, or when it was reported if this is unknown. */
function happenedText(times: Pick<Alert, "event_first_at" | "event_last_at" | "first_seen">): string {
  const { event_first_at, event_last_at, first_seen } = times;
  if (!(event_first_at && event_last_at)) return `reported ${timeText(first_seen)}`;
  const [first, last] = [timeText(event_first_at), timeText(event_last_at)];
  return first === last ? first : `${first} to ${last}`;
}

function buildObservableBlocks({ observables, totals }: CaseDetail): Block[] {
  const rows = observables
    .slice(0, MAX_ROWS)
    .map(({ type, value, source, tags }) => [type, limitLength(value), source ?? "–", tags.join(", ")]);
  const columns = [
    { name: "Type", weight: 12 },
    { name: "Value", weight: 48 },
    { name: "Source", weight: 18 },
    { name: "Tags", weight: 22 },
  ];
  return [heading("Observables"), table(columns, rows, { total: totals.observables })];
}

function buildEvidenceBlocks({ evidence, totals }: CaseDetail, bundle: BundleBody | undefined): Block[] {
  const shown = evidence.slice(0, MAX_ROWS).toReversed();
  const rows = shown.map((each) => [
    `${each.name}\n${each.evidence_type}`,
    [each.location, each.storage_url].filter((place) => place !== null).join("\n") || "–",
    each.sha256 ?? "no hash was provided",
    formatSequences(each, bundle),
  ]);
  const columns = [
    { name: "Evidence", weight: 30 },
    { name: "Location", weight: 32 },
    { name: "SHA-256", weight: 26, isCode: true },
    { name: "In the ledger", weight: 12 },
  ];
  return [
    heading("Evidence"),
    table(columns, rows, { total: totals.evidence }),
    ...(shown.length === 0 ? [] : [heading("Chain of custody"), buildCustodyBlock(shown)]),
  ];
}

function buildCustodyBlock(evidence: readonly Evidence[]): Block {
  const rows = evidence.flatMap(({ name, custody_entries }) =>
    custody_entries.map(({ recorded_at, recorded_by, action, location, notes }) => [
      timeText(recorded_at),
      name,
      recorded_by,
      [action, location, notes === null ? null : limitLength(notes)].filter((each) => each !== null).join("\n"),
    ]),
  );
  const columns = [
    { name: "When", weight: 18 },
    { name: "Evidence", weight: 28 },
    { name: "By", weight: 16 },
    { name: "What happened, where, notes", weight: 38 },
  ];
  const total = evidence.reduce((sum, { custody_total }) => sum + custody_total, 0);
  return table(columns, rows.slice(-MAX_ROWS), { total, empty: "No custody was recorded." });
}

/** Returns the ledger entries of a piece of evidence. */
function formatSequences({ id }: Evidence, bundle: BundleBody | undefined): string {
  const related = bundle?.entries.filter(({ entry }) => evidenceIdOf(entry.body) === id) ?? [];
  return related.map(({ entry }) => `#${entry.sequence}`).join(", ") || "–";
}

function evidenceIdOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "evidence_id" in body ? body.evidence_id : undefined;
}

function buildTaskBlocks({ tasks, totals }: CaseDetail): Block[] {
  const rows = tasks
    .slice(0, MAX_ROWS)
    .toReversed()
    .map(({ title, status, assignee, updated_at }) => [title, status, assignee ?? "unassigned", timeText(updated_at)]);
  const columns = [
    { name: "Task", weight: 41 },
    { name: "Status", weight: 13 },
    { name: "Assignee", weight: 30 },
    { name: "Last changed", weight: 16 },
  ];
  return [heading("Tasks"), table(columns, rows, { total: totals.tasks })];
}

function buildCommentBlocks({ comments, totals }: CaseDetail): Block[] {
  const entries = comments
    .slice(0, MAX_ROWS)
    .toReversed()
    .map(({ created_at, author, body }) => ({ at: timeText(created_at), actor: author, text: limitLength(body) }));
  if (entries.length === 0) return [heading("Comments"), paragraph("None.")];
  return [heading("Comments"), { kind: "timeline", entries, more: totals.comments - entries.length }];
}

function buildResponseBlocks(responses: readonly ResponseFact[]): Block[] {
  const rows = responses
    .slice(0, MAX_ROWS)
    .map(({ at, kind, what, status, by }) => [timeText(at), kind, limitLength(what), status, by]);
  const columns = [
    { name: "When", weight: 18 },
    { name: "Kind", weight: 12 },
    { name: "What", weight: 38 },
    { name: "Status", weight: 15 },
    { name: "By", weight: 17 },
  ];
  const empty = "No playbook, approval or endpoint action is recorded for this case.";
  return [heading("Actions taken"), table(columns, rows, { total: responses.length, empty })];
}

function buildLedgerBlocks({ bundle, ledgerAlarm }: InvestigationFacts, isCarried: boolean): Block[] {
  if (ledgerAlarm !== undefined) return [heading("Ledger"), paragraph(ledgerAlarm)];
  if (!bundle) return [heading("Ledger"), paragraph("The case has no entry in the ledger.")];
  const { chain, checkpoint, public_key, entries } = bundle;
  const size = isCarried
    ? "The bundle with all proofs is part of this report."
    : "The bundle is too large for a report; GET /api/v1/ledger/bundle returns it.";
  return [
    heading("Ledger"),
    paragraph(
      `Each entry contains the hash of the previous entry. ${chain.covered} of ${chain.length} entries are covered by a signed` +
        `checkpoint, and each of those has a proof that leads to the checkpoint's root. ${size}`,
    ),
    facts(
      ["Head of the chain", chain.head_hash],
      ["Checkpoint", checkpoint ? `tree of ${checkpoint.tree_size}, ${timeText(checkpoint.at)}` : "none yet"],
      ["Root of the tree", checkpoint?.root_hash ?? "–"],
      ["Signature", checkpoint?.signature ?? "–"],
      ["Public key", public_key],
      ["Key id, to compare", chain.key_id],
    ),
    table(ENTRY_COLUMNS, entries.slice(-MAX_ROWS).map(entryRow), { total: entries.length }),
  ];
}

const ENTRY_COLUMNS = [
  { name: "No.", weight: 6 },
  { name: "What", weight: 18 },
  { name: "By", weight: 14 },
  { name: "When", weight: 16 },
  { name: "Hash of the entry", weight: 30, isCode: true },
  { name: "Proof", weight: 16 },
];

function entryRow({ entry, leaf_index, audit_path }: ProvenEntryBody): string[] {
  const { sequence, kind, actor, at, entry_hash } = entry;
  const proof = leaf_index === null ? "waits" : `leaf ${leaf_index}, ${audit_path?.length ?? 0} hashes`;
  return [String(sequence), kind, actor, timeText(at), entry_hash, proof];
}

function limitLength(text: string): string {
  const characters = Array.from(text);
  const rest = characters.length - MAX_TEXT_LENGTH;
  return rest > 0 ? `${characters.slice(0, MAX_TEXT_LENGTH).join("")}… (${rest} more characters)` : text;
}

import { createHash } from "node:crypto";
import { canonicalJson } from "@kit/query/canonical-json";
import { describe, expect, it } from "vitest";
import { SEVERITIES } from "../alerts/alerts/alerts.schema.ts";
import { toPredicate } from "../logs/query/predicate.ts";
import { buildLogCondition } from "../logs/search/log-selection.ts";
import { buildShowcase } from "./showcase.ts";

const NOW = new Date("2026-03-14T09:26:53.589Z");
const showcase = buildShowcase(NOW);
const { sites, users, alerts, cases, ledger, audit, logs, hunts } = showcase;

function isAscending(times: Date[]): boolean {
  return times.every((time, index) => index === 0 || time >= (times[index - 1] ?? time));
}

/** Returns every Date in a value, at any depth. */
function timesIn(value: unknown): Date[] {
  if (value instanceof Date) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(timesIn) : [];
}

describe("showcase data", () => {
  it("is large and varied enough to try every filter", () => {
    expect(alerts.length).toBeGreaterThanOrEqual(40);
    expect(cases).toHaveLength(4);
    expect(sites).toHaveLength(3);
    expect(new Set(alerts.map(({ severity }) => severity))).toEqual(new Set(SEVERITIES));
    expect(new Set(alerts.map(({ status }) => status)).size).toBe(6);
    expect(new Set(alerts.map(({ source }) => source)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(cases.map(({ status }) => status)).size).toBe(4);
  });

  it("gives every object a unique id", () => {
    const items = cases.flatMap(({ observables, evidence, comments, tasks }) => [
      ...observables,
      ...evidence,
      ...comments,
      ...tasks,
    ]);
    const ids = [...sites, ...alerts, ...cases, ...items, ...audit, ...logs, ...hunts].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("keeps its ids and moves its times with the clock", () => {
    const later = buildShowcase(new Date(NOW.getTime() + 3_600_000));
    expect(later.alerts.map(({ id }) => id)).toEqual(alerts.map(({ id }) => id));
    const moved = later.alerts.map(({ created_at }) => created_at.getTime() - 3_600_000);
    expect(moved).toEqual(alerts.map(({ created_at }) => created_at.getTime()));
  });

  it("refers only to objects that exist", () => {
    const caseIds = cases.map(({ id }) => id);
    const emails: (string | null)[] = [null, ...users.map(({ email }) => email)];
    for (const { case_id, site, assignee, acknowledged_by } of alerts) {
      expect([null, ...caseIds]).toContain(case_id);
      expect(sites.map(({ name }) => name)).toContain(site);
      expect(emails).toContain(assignee);
      expect([null, ...users.map(({ username }) => username)]).toContain(acknowledged_by);
    }
    for (const { id, assignee, tasks } of cases) {
      expect(alerts.some(({ case_id }) => case_id === id)).toBe(true);
      for (const each of [assignee, ...tasks.map((task) => task.assignee)]) expect(emails).toContain(each);
    }
    const known = [...alerts, ...cases].map(({ id }) => id);
    for (const { subject_id } of audit) expect(known).toContain(subject_id);
  });

  it("names in each response its case, alert, endpoint and action", () => {
    const { approvals, executions, edr } = showcase;
    const caseIds = cases.map(({ id }) => id);
    for (const { case_id } of [...approvals, ...executions, ...edr.actions])
      expect([null, ...caseIds]).toContain(case_id);
    for (const { alert_id } of executions) expect(alerts.map(({ id }) => id)).toContain(alert_id);
    const isolation = edr.actions.find(({ action }) => action === "isolate");
    const [used, ...pending] = approvals;
    expect(used).toMatchObject({ status: "approved", kind: "action", execution_id: isolation?.action_id });
    expect(used?.parameters.endpoint_id).toBe(isolation?.endpoint_id);
    const waiting = cases.find(({ status }) => status === "pending_approval");
    expect(pending.map(({ status, case_id }) => [status, case_id])).toEqual(
      pending.map(() => ["pending", waiting?.id]),
    );
  });

  it("links each alert of a rule to the rule that matched its logs", () => {
    const { rules, matches } = showcase.detections;
    const linked = alerts.filter(({ rule_id }) => rule_id !== null);
    expect(linked).toHaveLength(10);
    for (const { id, rule_id, log_ids } of linked) {
      expect(rules.map((rule) => rule.id)).toContain(rule_id);
      const matched = matches.filter((match) => match.rule_id === rule_id && match.alert_id === id);
      expect(log_ids).toEqual(expect.arrayContaining(matched.map(({ log_id }) => log_id)));
    }
  });

  it("contains no time in the future", () => {
    const logged = logs.flatMap(({ timestamp, ingested_at }) => [new Date(timestamp), new Date(ingested_at)]);
    const times = timesIn({ alerts, cases, audit, hunts, logged });
    expect(times.length).toBeGreaterThan(200);
    expect(times.filter((time) => time > NOW)).toEqual([]);
  });

  it("orders the times of each alert", () => {
    for (const alert of alerts) {
      const { created_at, first_seen, last_seen, acknowledged_at, resolved_at, updated_at, occurrence_count } = alert;
      expect(isAscending([created_at, first_seen, last_seen, updated_at])).toBe(true);
      expect(isAscending([created_at, acknowledged_at ?? created_at, resolved_at ?? updated_at, updated_at])).toBe(
        true,
      );
      expect(last_seen > first_seen).toBe(occurrence_count > 1);
      expect(acknowledged_at === null).toBe(alert.status === "new");
      expect(resolved_at !== null).toBe(["resolved", "closed", "false_positive"].includes(alert.status));
    }
  });

  it("orders the times of each case, starting with its first alert", () => {
    for (const { id, created_at, updated_at, closed_at, status, timeline, evidence, comments, tasks } of cases) {
      expect(isAscending([created_at, ...timeline.map(({ timestamp }) => timestamp), updated_at])).toBe(true);
      expect(isAscending([created_at, ...comments.map((comment) => comment.created_at)])).toBe(true);
      expect(isAscending([created_at, ...tasks.map((task) => task.created_at)])).toBe(true);
      for (const { created_at: registered_at, custody_entries } of evidence) {
        expect(isAscending([created_at, registered_at, ...custody_entries.map((entry) => entry.recorded_at)])).toBe(
          true,
        );
      }
      expect(closed_at !== null).toBe(status === "closed");
      const first = alerts.find(({ case_id }) => case_id === id);
      expect(first && first.created_at < created_at).toBe(true);
    }
  });

  it("has logs for every alert of the intrusion, from its first to its last sighting", () => {
    const logById = new Map(logs.map((log) => [log.id, log]));
    const raised = alerts.filter(({ log_ids }) => log_ids.length > 0);
    const intrusion = alerts.filter(({ tags }) => tags.includes("intrusion"));
    expect(raised).toEqual(expect.arrayContaining(intrusion));
    expect(raised).toHaveLength(23);
    for (const { title, log_ids, host, user, site, iocs, first_seen, last_seen } of raised) {
      const behind = log_ids.flatMap((id) => logById.get(id) ?? []);
      expect(behind, title).toHaveLength(log_ids.length);
      expect(log_ids.length).toBeLessThanOrEqual(100);
      const text = JSON.stringify(behind);
      for (const known of [host, user, site, ...iocs].filter((each) => each !== null))
        expect(text, title).toContain(known);
      const times = behind.map(({ timestamp }) => Date.parse(timestamp));
      // Logs may begin before the alert and end at most a minute after it was last seen.
      expect(Math.min(...times), title).toBeLessThanOrEqual(first_seen.getTime());
      expect(Math.max(...times), title).toBeGreaterThanOrEqual(first_seen.getTime() - 60_000);
      expect(Math.max(...times), title).toBeLessThan(last_seen.getTime() + 60_000);
    }
  });

  it("hides the intrusion among more routine logs of every severity", () => {
    const behind = new Set(alerts.flatMap(({ log_ids }) => log_ids));
    expect(logs.filter(({ id, severity }) => !behind.has(id) && severity === "info").length).toBeGreaterThan(500);
    expect(new Set(logs.map(({ severity }) => severity))).toEqual(new Set(SEVERITIES));
    expect(logs.filter(({ site }) => !sites.some(({ name }) => name === site))).toEqual([]);
  });

  it("has hunts by existing users in the query language", () => {
    for (const hunt of hunts) {
      expect(users.map(({ username }) => username)).toContain(hunt.created_by);
      const isFound = toPredicate(buildLogCondition(hunt, NOW));
      expect(logs.some(isFound), hunt.title).toBe(true);
      expect(logs.every(isFound), hunt.title).toBe(false);
    }
  });

  it("chains the evidence of each case according to RFC 8785 and SHA-256", () => {
    for (const { id, evidence } of cases) {
      const chain = ledger.filter(({ case_id }) => case_id === id);
      const custodyCount = evidence.reduce((sum, { custody_entries }) => sum + custody_entries.length, 0);
      expect(chain).toHaveLength(custodyCount);
      let previous = "0".repeat(64);
      for (const [index, { entry_hash, ...hashed }] of chain.entries()) {
        expect(hashed).toMatchObject({ sequence: index + 1, previous_hash: previous });
        previous = createHash("sha256").update(canonicalJson(hashed)).digest("hex");
        expect(entry_hash).toBe(previous);
      }
    }
  });

  it("uses only addresses and domains reserved for documentation", () => {
    const text = JSON.stringify({ alerts, cases, sites, users, logs, hunts });
    const addresses = text.match(/\b\d{1,3}(\.\d{1,3}){3}\b/g) ?? [];
    expect(addresses.filter((address) => !/^(192\.0\.2|198\.51\.100|203\.0\.113)\./.test(address))).toEqual([]);
    const domains = text.match(/[\w-]+\.(com|org|net|io|test|invalid|example)\b/g) ?? [];
    expect(domains.filter((domain) => !domain.endsWith(".example"))).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { type Alert, applyAlertPatch, buildAlert, fingerprintOf, linkFields, siteFingerprintOf } from "./alert.ts";
import { sharedFields } from "./alert-report.ts";
import { ALERT_STATUSES, type AlertStatus, type ListAlertsQuery, type UpdateAlertRequest } from "./alerts.schema.ts";
import { createShowcaseAlertsStore } from "./alerts.store.ts";

const CREATED = new Date("2026-05-01T08:00:00.000Z");
const NOW = new Date("2026-05-01T09:00:00.000Z");
const ID = "019680aa-0000-7000-8000-000000000001";

function alertWith(fields: Partial<Alert> = {}): Alert {
  return { ...buildAlert({ title: "Beacon to evil.example", source: "edr" }, ID, CREATED), ...fields };
}

describe("alert fingerprints", () => {
  const report = { title: "Beacon to evil.example", source: "edr", iocs: ["evil.example", "10.0.0.9"] };

  it("hashes the canonical JSON of title, source and sorted IOCs with SHA-256", () => {
    // printf '%s' '["Beacon to evil.example","edr",["10.0.0.9","evil.example"]]' | sha256sum
    expect(fingerprintOf(report)).toBe("34e29aa248c57214b262a953975cb1babf5925ec2069d450e4d8b8ce3fa3174c");
  });

  it("includes the site for findings that differ per site", () => {
    // printf '%s' '["Beacon to evil.example","edr",["10.0.0.9","evil.example"],"Alpha"]' | sha256sum
    expect(siteFingerprintOf({ ...report, site: "Alpha" })).toBe(
      "38a55c28224dc40828a2dcbd868b93e645f532ce3d0da710206f6d4e7fc28335",
    );
    expect(siteFingerprintOf(report)).toBe(fingerprintOf(report));
  });

  it("counts a duplicate IOC once", () => {
    expect(fingerprintOf({ ...report, iocs: [...report.iocs, "10.0.0.9"] })).toBe(fingerprintOf(report));
  });

  it("ignores all other fields", () => {
    const { fingerprint } = buildAlert({ ...report, severity: "critical", host: "ws-7" }, ID, NOW);
    expect(fingerprint).toBe(fingerprintOf({ ...report, iocs: report.iocs.toReversed() }));
  });

  it("changes when text moves from one field to the next", () => {
    const fingerprints = [
      fingerprintOf({ title: "ab", source: "c" }),
      fingerprintOf({ title: "a", source: "bc" }),
      fingerprintOf({ title: "a", source: "b", iocs: ["c"] }),
      fingerprintOf({ title: "a", source: "b", iocs: ["c", "d"] }),
      fingerprintOf({ title: "a", source: "b", iocs: ["cd"] }),
    ];
    expect(new Set(fingerprints).size).toBe(5);
  });
});

describe("the site of an alert", () => {
  const log = (site: string) => ({ host: "h", user: "u", site });

  it("uses the common site of all logs, including those that its texts quote", () => {
    expect(sharedFields([log("Alpha"), log("Alpha")])).toEqual({ host: "h", user: "u", site: "Alpha" });
    expect(sharedFields([log("Alpha"), log("Beta")])).toEqual({ host: "h", user: "u" });
    expect(sharedFields([log("Alpha"), log("")])).toEqual({ host: "h", user: "u" });
    expect(sharedFields([log("Alpha")], [log("Beta")])).toEqual({ host: "h", user: "u" });
  });
});

describe("alert changes by a user", () => {
  const from = (status: AlertStatus) => alertWith({ status });

  it("allows setting any status except new", () => {
    for (const status of ALERT_STATUSES) {
      for (const next of ALERT_STATUSES.filter((each) => each !== "new")) {
        expect(applyAlertPatch(from(status), { status: next }, "noor", NOW)).toMatchObject({ status: next });
      }
    }
  });

  it.each(ALERT_STATUSES.filter((status) => status !== "new"))(
    "refuses to return an alert from %s to new",
    (status) => {
      expect(() => applyAlertPatch(from(status), { status: "new" }, "noor", NOW)).toThrow(
        /^status: .* cannot be set back to new/,
      );
    },
  );

  it("keeps the status new when the change sets new", () => {
    expect(applyAlertPatch(from("new"), { status: "new", assignee: "noor" }, "noor", NOW)).toEqual({
      status: "new",
      assignee: "noor",
      resolved_at: null,
    });
  });

  it("acknowledges the alert only when the change is the first to leave new", () => {
    const taken = { acknowledged_at: NOW, acknowledged_by: "noor" };
    expect(applyAlertPatch(from("new"), { status: "triaged" }, "noor", NOW)).toMatchObject(taken);
    const later = applyAlertPatch(alertWith({ status: "triaged", ...taken }), { status: "closed" }, "sam", NOW);
    expect(later).not.toHaveProperty("acknowledged_by");
  });

  it.each(["agent:SupervisorAgent", "automation:isolate", "key:edr"])("is not acknowledged by %s", (by) => {
    expect(applyAlertPatch(from("new"), { status: "investigating" }, by, NOW)).not.toHaveProperty("acknowledged_at");
    expect(linkFields(from("new"), "c-1", by, NOW)).not.toHaveProperty("acknowledged_by");
  });

  it("is acknowledged by the first person who changes an alert that an agent took out of new", () => {
    const taken = { acknowledged_at: NOW, acknowledged_by: "noor" };
    expect(applyAlertPatch(from("investigating"), { assignee: "noor" }, "noor", NOW)).toMatchObject(taken);
  });

  it.each([
    ["resolved", NOW],
    ["closed", NOW],
    ["false_positive", NOW],
    ["investigating", null],
  ] as const)("sets resolved_at for a change to %s: %s", (status, resolved_at) => {
    expect(applyAlertPatch(from("triaged"), { status }, "noor", NOW)).toMatchObject({ resolved_at });
  });

  it("keeps resolved_at between two finished statuses", () => {
    const resolved = alertWith({ status: "resolved", resolved_at: CREATED });
    expect(applyAlertPatch(resolved, { status: "closed" }, "noor", NOW)).toMatchObject({ resolved_at: CREATED });
    expect(applyAlertPatch(resolved, { tags: ["x"] }, "noor", NOW)).toMatchObject({ resolved_at: CREATED });
  });
});

describe("alert verdicts", () => {
  const patched = (alert: Alert, patch: UpdateAlertRequest) => ({
    ...alert,
    ...applyAlertPatch(alert, patch, "noor", NOW),
  });
  const falsePositive = patched(alertWith({ suppressed_since_verdict: 7 }), { status: "false_positive" });

  it("sets the verdict for the status false_positive, with its time, and counts repeats from zero", () => {
    expect(falsePositive).toMatchObject({ verdict: "false_positive", verdict_at: NOW, suppressed_since_verdict: 0 });
  });

  it("keeps the verdict needs_tuning together with the status false_positive", () => {
    expect(patched(alertWith(), { status: "false_positive", verdict: "needs_tuning" }).verdict).toBe("needs_tuning");
  });

  it.each([
    [alertWith(), { status: "false_positive", verdict: "true_positive" }],
    [alertWith(), { status: "false_positive", verdict: null }],
    [falsePositive, { verdict: "true_positive" }],
    [falsePositive, { verdict: null }],
  ] satisfies [Alert, UpdateAlertRequest][])(
    "refuses a verdict that contradicts the status and names the field",
    (alert, patch) => {
      expect(() => applyAlertPatch(alert, patch, "noor", NOW)).toThrow(
        /^verdict: must be false_positive or needs_tuning/,
      );
    },
  );

  it.each([
    ["investigating", null],
    ["triaged", null],
    ["closed", "false_positive"],
  ] as const)("changes the verdict of a false positive that becomes %s: it is %s", (status, verdict) => {
    expect(patched(falsePositive, { status }).verdict).toBe(verdict);
  });

  it("replaces the verdict false_positive when verdict and status change together", () => {
    const changed = patched(falsePositive, { status: "resolved", verdict: "true_positive" });
    expect(changed).toMatchObject({ status: "resolved", verdict: "true_positive" });
  });
});

describe("links of alerts to cases", () => {
  it.each([
    ["new", "investigating"],
    ["triaged", "investigating"],
    ["investigating", "investigating"],
    ["resolved", "resolved"],
    ["closed", "closed"],
    ["false_positive", "false_positive"],
  ] as const)("changes the status %s to %s when the alert is linked", (status, next) => {
    expect(linkFields(alertWith({ status }), "case", "noor", NOW)).toMatchObject({ case_id: "case", status: next });
  });
});

describe("showcase alerts", () => {
  const alerts = [
    alertWith({ id: "1", severity: "low", host: "ws-7", iocs: ["evil.example"], last_seen: CREATED }),
    alertWith({ id: "2", severity: "critical", status: "triaged", host: "ws-7", user: "sam", last_seen: NOW }),
    alertWith({
      id: "3",
      title: "Logon at night",
      source: "ad",
      user: "sam",
      assignee: "noor",
      mitre_techniques: ["T1078.004"],
      tags: ["apt"],
      last_seen: NOW,
    }),
    alertWith({ id: "4", case_id: ID, iocs: ["evil.example"], last_seen: new Date("2026-05-02T08:00:00.001Z") }),
  ];
  const store = createShowcaseAlertsStore(alerts);
  const toIds = (found: Alert[]) => found.map(({ id }) => id);

  it.each([
    [{ severity: ["critical"] }, ["2"]],
    [{ severity: ["critical", "low"] }, ["2", "1"]],
    [{ status: ["triaged"] }, ["2"]],
    [{ source: ["ad"] }, ["3"]],
    [{ assignee: ["noor"] }, ["3"]],
    [{ case_id: [ID] }, ["4"]],
    [{ host: ["WS-7.corp.example"] }, ["2", "1"]],
    [{ user: ["CORP\\Sam"], severity: ["critical"] }, ["2"]],
    [{ technique: ["t1078"] }, ["3"]],
    [{ tag: ["apt", "none"] }, ["3"]],
    [{ from: "2026-05-01T08:30:00Z", to: "2026-05-01T09:00:00Z" }, ["4", "3", "2"]],
    [{ to: "2026-05-01T08:00:00Z" }, []],
    [{ q: "sam" }, ["3", "2"]],
    [{ q: "EXAM beac" }, ["4", "2", "1"]],
    [{ q: "evil.example" }, ["4", "2", "1"]],
    [{ q: "eacon" }, []],
    [{ sort: "-severity", limit: 2 }, ["2", "4"]],
    [{ sort: "last_seen" }, ["1", "2", "3", "4"]],
  ] satisfies [ListAlertsQuery, string[]][])("lists showcase alerts by %j", async (query, ids) => {
    expect(toIds((await store.list(ALL_SITES, query)).items)).toEqual(ids);
  });

  it("finds an alert by id, or returns undefined", async () => {
    expect(await store.find(ALL_SITES, "3")).toBe(alerts[2]);
    expect(await store.find(ALL_SITES, "5")).toBeUndefined();
  });

  it("relates alerts of the same day that share a host, a user or an IOC", async () => {
    const [first = alertWith(), second = alertWith()] = alerts;
    const [ofFirst, ofSecond] = [await store.findRelated(ALL_SITES, first), await store.findRelated(ALL_SITES, second)];
    expect([ofFirst.same_host, ofFirst.same_user, ofFirst.same_ioc].map(toIds)).toEqual([["2"], [], []]);
    expect([ofSecond.same_host, ofSecond.same_user, ofSecond.same_ioc].map(toIds)).toEqual([["1"], ["3"], []]);
  });
});

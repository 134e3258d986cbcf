import { describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { buildSubject, createMemoryTools, runPlan } from "../../../testing/situations/memory-tools.ts";
import type { NewAlert } from "../../alerts/alerts/alert.ts";
import { buildIoc } from "../../detection/iocs/ioc.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { checkFindings } from "../investigations/checker.ts";
import { PLANS } from "./plans.ts";

const START = Date.UTC(2026, 10, 15, 9);

function event(id: string, seconds: number, fields: Partial<LogEvent>): LogEvent {
  return sampleLog({ id, timestamp: new Date(START + seconds * 1000).toISOString(), ...fields });
}

function repeat(times: number, everySeconds: number, fields: Partial<LogEvent>, first = 0): LogEvent[] {
  return Array.from({ length: times }, (_, at) =>
    event(`${fields.source}-${first + at}`, first + at * everySeconds, fields),
  );
}

const DAY_S = 86_400;

/** Returns the findings of one agent about the first events; every sentence is checked. */
async function say(
  agent: string,
  own: readonly LogEvent[],
  others: readonly LogEvent[],
  given: Partial<NewAlert> = {},
  iocs: readonly string[] = [],
): Promise<string[]> {
  const plan = PLANS.find((each) => each.agent === agent);
  if (!plan) throw new Error(`there is no plan of ${agent}`);
  const logs = [...own, ...others];
  const known = iocs.map((value) =>
    buildIoc({ value, severity: "high", confidence: 80, force: true }, "test", new Date(START)),
  );
  const { findings } = await runPlan(plan, buildSubject(own, given), createMemoryTools({ logs, iocs: known }));
  const reader = { find: async (ids: readonly string[]) => logs.filter(({ id }) => ids.includes(id)) };
  const checked = await checkFindings(reader, findings, { titles: [], techniques: [] });
  expect(checked.filter(({ is_supported }) => !is_supported)).toEqual([]);
  return findings.map(({ statement }) => statement);
}

describe("IdentityAgent", () => {
  const failure = { source: "idp", user: "ada", action: "sign-in", outcome: "failure", src_ip: "203.0.113.9" };
  const success = { ...failure, outcome: "success" };

  it("counts the failed sign-ins before a success", async () => {
    const success_ = event("ok", 60, { ...success, source: "idp-ok" });
    expect(await say("agent-008", [success_], repeat(6, 5, failure))).toEqual([
      'A success at 2026-11-15T09:01:00.000Z follows 6 events of failed sign-ins of "ada" from 2026-11-15T09:00:00.000Z to 2026-11-15T09:00:25.000Z.',
    ]);
  });

  it("ignores a success before the failures and counts only the failures", async () => {
    const early = event("ok", -60, { ...success, source: "idp-ok" });
    expect(await say("agent-008", [early], repeat(5, 5, failure))).toEqual([
      'There are 5 events of failed sign-ins of "ada" from 2026-11-15T09:00:00.000Z to 2026-11-15T09:00:20.000Z.',
    ]);
  });

  it("states that a result was truncated", async () => {
    const [said] = await say("agent-008", repeat(1, 1, failure), repeat(150, 1, failure, 1));
    expect(said).toMatch(/^There are at least 100 events of failed sign-ins of "ada" /);
  });

  it("ignores a forgotten password and other users", async () => {
    expect(await say("agent-008", [event("ok", 60, success)], repeat(4, 5, failure))).toEqual([]);
    expect(await say("agent-008", [event("ok", 60, success)], repeat(9, 5, { ...failure, user: "bob" }))).toEqual([]);
  });

  it("reports sign-ins from several addresses and account changes", async () => {
    const elsewhere = event("b", 30, { ...success, src_ip: "198.51.100.7" });
    const change = event("c", 40, { source: "Security", event_code: "4732", user: "ada" });
    expect(await say("agent-008", [event("a", 0, success)], [elsewhere, change])).toEqual([
      '"ada" signed in from 2 addresses: 203.0.113.9, 198.51.100.7.',
      '"ada" added a member to a local group: one event at 2026-11-15T09:00:40.000Z.',
    ]);
  });
});

describe("NetworkAgent", () => {
  const contact = { source: "fw", host: "ws5", src_ip: "10.0.0.5", dst_ip: "203.0.113.9" };

  it("finds a first contact and a beacon", async () => {
    const [own, ...others] = repeat(10, 60, contact);
    expect(await say("agent-009", own ? [own] : [], others)).toEqual([
      "In the logs of the 7 days before, the first contact with 203.0.113.9 is at 2026-11-15T09:00:00.000Z.",
      '"ws5" contacted 203.0.113.9 10 times, about every 60 seconds, from 2026-11-15T09:00:00.000Z to 2026-11-15T09:09:00.000Z.',
    ]);
  });

  it("finds neither with older and irregular contacts", async () => {
    const times = [1, 7, 200, 260, 900, 1300, 1310, 2500, 3000];
    const others = times.map((at) => event(`c-${at}`, at, contact));
    const earlier = event("earlier", -2 * DAY_S, contact);
    expect(await say("agent-009", [event("own", 0, contact)], [...others, earlier])).toEqual([]);
  });

  it("does not report a first contact when only the newest events were read", async () => {
    const said = await say("agent-009", [event("own", 3000, contact)], repeat(120, 1, contact));
    expect(said.filter((each) => each.includes("first contact"))).toEqual([]);
  });

  it("finds a sweep", async () => {
    const targets = Array.from({ length: 12 }, (_, at) => event(`t-${at}`, at, { ...contact, dst_ip: `10.0.1.${at}` }));
    expect(await say("agent-009", [event("own", 0, { ...contact, dst_ip: "" })], targets)).toEqual([
      "10.0.0.5 reached 12 other addresses from 2026-11-15T09:00:00.000Z to 2026-11-15T09:00:11.000Z.",
    ]);
  });
});

describe("EnrichmentAgent and MalwareAgent", () => {
  const run = {
    host: "ws5",
    user: "ada",
    process: "C:\\Users\\ada\\x.exe",
    attributes: { Hashes: `MD5=${"ab".repeat(16)}` },
  };

  it("count hosts and users of the last days", async () => {
    const others = [
      event("b", -DAY_S, { host: "ws6", user: "ada" }),
      event("c", -9 * DAY_S, { host: "ws7", user: "ada" }),
    ];
    expect(await say("agent-002", [event("a", 0, run)], others)).toEqual([
      'The user "ada" has 2 events on 2 hosts in the 7 days up to the alert.',
      'The host "ws5" has one event of one user in the 7 days up to the alert.',
    ]);
  });

  it("count where a program was seen and look up its hash", async () => {
    const others = [event("b", -DAY_S, { ...run, host: "ws6" })];
    expect(await say("agent-006", [event("a", 0, run)], others, {}, ["ab".repeat(16)])).toEqual([
      `The file hash "${"ab".repeat(16)}" is a known indicator of severity high, with a confidence of 80 %.`,
      'The program "C:\\Users\\ada\\x.exe" has 2 events on 2 hosts in the 7 days up to the alert.',
      `The file with "MD5=${"ab".repeat(16)}" has 2 events on 2 hosts in the 7 days up to the alert.`,
    ]);
  });

  it("count a truncated result as a part", async () => {
    const many = Array.from({ length: 600 }, (_, at) => event(`m-${at}`, -at, { ...run, host: `host-${at}` }));
    expect((await say("agent-006", [event("a", 0, run)], many))[0]).toBe(
      'The program "C:\\Users\\ada\\x.exe" has 601 events on at least 500 hosts in the 7 days up to the alert.',
    );
  });
});

describe("ThreatIntelAgent", () => {
  it("rates an indicator that the events contain", async () => {
    const own = [event("a", 0, { dst_ip: "203.0.113.9", attributes: { QueryName: "evil.example" } })];
    expect(
      await say("agent-004", own, [], { iocs: ["other.example"] }, ["evil.example", "203.0.113.9", "other.example"]),
    ).toEqual([
      'The observable "evil.example" is a known indicator of severity high, with a confidence of 80 %.',
      'The observable "203.0.113.9" is a known indicator of severity high, with a confidence of 80 %.',
    ]);
  });
});

describe("ThreatHuntAgent", () => {
  it("finds earlier traces only outside the window", async () => {
    const fields = { host: "ws5", dst_ip: "203.0.113.9", attributes: { CommandLine: "x -enc a" } };
    const earlier = event("b", -3 * DAY_S, { ...fields, host: "ws6" });
    const older = event("c", -5 * DAY_S, { dst_ip: "203.0.113.9", host: "ws7" });
    expect(await say("agent-005", [event("a", 0, fields)], [event("near", 60, fields), earlier, older])).toEqual([
      'In the 30 days before the hour of the alert "203.0.113.9" occurs in 2 events, the latest on "ws6" at 2026-11-12T09:00:00.000Z.',
      'In the 30 days before the hour of the alert "x -enc a" occurs in one event, the latest on "ws6" at 2026-11-12T09:00:00.000Z.',
    ]);
  });
});

describe("CorrelationAgent", () => {
  it("finds ratings of other sources and an indicator elsewhere", async () => {
    const own = [event("a", 0, { source: "edr", host: "ws5", user: "ada", severity: "high" })];
    const ids = event("b", 60, { source: "ids", host: "ws5", severity: "critical" });
    const low = event("c", 70, { source: "proxy", host: "ws5", severity: "low" });
    const elsewhere = event("d", 80, { source: "dns", host: "ws6", message: "query of evil.example" });
    const longer = event("e", 80, { source: "dns", host: "ws7", message: "query of evil.example.org" });
    expect(await say("agent-003", own, [ids, low, elsewhere, longer], { iocs: ["evil.example"] })).toEqual([
      'The indicator "evil.example" of the alert also occurs on "ws6".',
      'The source "ids" rated one event of the host "ws5" high or critical, at 2026-11-15T09:01:00.000Z.',
    ]);
  });
});

describe("EndpointAgent", () => {
  it("reports changes of the host by their sources", async () => {
    const own = [event("a", 0, { source: "edr", host: "ws5" })];
    const service = event("b", 60, { source: "System", host: "ws5", event_code: "7045" });
    const cleared = event("c", 90, { source: "Security", host: "ws5", event_code: "1102" });
    const other = event("d", 95, { source: "router", host: "ws5", event_code: "104" });
    expect(await say("agent-010", own, [service, cleared, other])).toEqual([
      'On "ws5" the security log was cleared: one event at 2026-11-15T09:01:30.000Z.',
      'On "ws5" a service was installed: one event at 2026-11-15T09:01:00.000Z.',
    ]);
  });

  it("counts the descendants of a program", async () => {
    const start = (id: string, seconds: number, [pid, ppid, image]: [number, number, string]) =>
      event(id, seconds, {
        host: "ws5",
        process: image,
        attributes: { ProcessId: pid, ParentProcessId: ppid, Image: image },
      });
    const own = [start("a", 0, [2, 1, "C:\\winword.exe"])];
    const others = [
      start("b", 1, [3, 2, "C:\\cmd.exe"]),
      start("c", 2, [4, 3, "C:\\whoami.exe"]),
      start("d", 3, [9, 8, "C:\\y.exe"]),
    ];
    expect(await say("agent-010", own, others)).toEqual([
      'From "winword.exe" on "ws5" descend 2 processes, the last started at 2026-11-15T09:00:02.000Z.',
    ]);
  });
});

it("EndpointAgent counts a program that starts itself, but no process that is older than its parent", async () => {
  const start = (id: string, seconds: number, pid: number, ppid: number) =>
    event(id, seconds, {
      host: "ws5",
      process: "cmd.exe",
      attributes: { ProcessId: pid, ParentProcessId: ppid, Image: "cmd.exe" },
    });
  const others = [start("b", 1, 3, 2), start("c", 2, 4, 3), start("old", -60, 8, 4)];
  expect(await say("agent-010", [start("a", 0, 2, 1)], others)).toEqual([
    'From "cmd.exe" on "ws5" descend 2 processes, the last started at 2026-11-15T09:00:02.000Z.',
  ]);
});

describe("PhishingAgent", () => {
  const mail = { source: "email-gateway", host: "mx", attributes: { mail: { from: "billing@sso.example" } } };

  it("counts recipients and finds users who followed the mail", async () => {
    const own = [event("a", 0, { ...mail, user: "ada" })];
    const second = event("b", 60, { ...mail, user: "bob" });
    const visit = event("c", 90, {
      source: "proxy",
      host: "ws5",
      user: "ada",
      message: "GET https://sso.example/login",
    });
    expect(await say("agent-007", own, [second, visit])).toEqual([
      '"billing@sso.example" has 2 mail events for 2 recipients, from 2026-11-15T09:00:00.000Z to 2026-11-15T09:01:00.000Z.',
      'Beyond the mail, "sso.example" occurs in one event, among them of "ada".',
    ]);
  });
});

describe("CloudAgent", () => {
  const audit = { source: "cloud-audit", user: "ada", src_ip: "203.0.113.9", outcome: "success" };

  it("reports changes and other accounts of the address, but no reads and refusals", async () => {
    const own = [event("a", 0, { ...audit, action: "AttachUserPolicy" })];
    const others = [
      event("b", 10, { ...audit, action: "StopLogging" }),
      event("c", 20, { ...audit, action: "DescribeTrails" }),
      event("d", 30, { ...audit, action: "DeleteTrail", outcome: "failure" }),
      event("e", 40, { ...audit, user: "bob", action: "ListRoles" }),
    ];
    expect(await say("agent-011", own, others)).toEqual([
      '"ada" changed an audit setting ("StopLogging"): one event at 2026-11-15T09:00:10.000Z.',
      '"ada" changed a role or a policy ("AttachUserPolicy"): one event at 2026-11-15T09:00:00.000Z.',
      'The address 203.0.113.9 used 2 accounts of the tenant: "ada", "bob".',
    ]);
  });
});

describe("CpsGuardAgent and FirmwareAgent", () => {
  const quote = { source: "cps-attestation", action: "attestation", host: "gw-1" };
  const bad = { ...quote, attributes: { verdict: "untrusted", measurement: "ef".repeat(32) } };
  const good = { ...quote, attributes: { verdict: "trusted", measurement: "01".repeat(32) } };
  const write = { source: "ot-monitor", host: "gw-1", action: "write", src_ip: "192.0.2.107" };

  it("report the newest attestation and the commands", async () => {
    const others = [
      event("b", -600, good),
      event("c", 30, { ...write, outcome: "denied" }),
      event("d", 40, { ...write, outcome: "success" }),
    ];
    expect(await say("agent-012", [event("a", 0, bad)], others)).toEqual([
      'The newest attestation of "gw-1" up to an hour after the alert is untrusted, at 2026-11-15T09:00:00.000Z.',
      '"gw-1" got 2 commands from "192.0.2.107" from 2026-11-15T09:00:30.000Z to 2026-11-15T09:00:40.000Z, 1 of them refused.',
    ]);
  });

  it("report devices with the same measurement and the last trusted one", async () => {
    const others = [event("b", -DAY_S, good), event("c", -60, { ...bad, host: "gw-2" })];
    expect(await say("agent-013", [event("a", 0, bad)], others)).toEqual([
      `The measurement "${"ef".repeat(32)}" is attested by 2 devices: "gw-1", "gw-2".`,
      `"gw-1" was last trusted at 2026-11-14T09:00:00.000Z with the measurement "${"01".repeat(32)}".`,
    ]);
  });

  it("report no newest attestation when one lacks its attributes", async () => {
    const large = { ...good, attributes: { ...good.attributes, log: "x".repeat(5000) } };
    expect(await say("agent-012", [event("a", 0, bad)], [event("b", 60, large)])).toEqual([]);
    expect(
      await say(
        "agent-013",
        [event("a", 0, { ...bad, attributes: { verdict: "failed" } })],
        [event("b", 60, large), event("c", 30, good)],
      ),
    ).toEqual([]);
  });

  it("ignore a trusted attestation", async () => {
    expect(await say("agent-013", [event("a", 0, good)], [])).toEqual([]);
  });
});

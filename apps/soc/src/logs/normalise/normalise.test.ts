import { describe, expect, it } from "vitest";
import { toLog } from "./normalise.ts";

const ARRIVAL = { id: "1", site: "hq", ingested_at: "2026-05-01T08:00:00.000Z", raw: "raw" };

describe("toLog, for a Windows event", () => {
  const expected = {
    timestamp: "2025-11-27T07:40:10.165Z",
    source: "Microsoft-Windows-Sysmon/Operational",
    host: "WS1",
    event_code: "1",
    user: "CORP\\ada",
    process: "C:\\x.exe",
    attributes: {
      Channel: "Microsoft-Windows-Sysmon/Operational",
      Provider_Name: "Microsoft-Windows-Sysmon",
      Image: "C:\\x.exe",
      User: "CORP\\ada",
    },
  };
  const data = { Image: "C:\\x.exe", User: "CORP\\ada" };

  it.each([
    [
      "flat, as NXLog writes it",
      {
        ...{ "@timestamp": "2025-11-27T07:40:10.165Z", Hostname: "WS1", host: "collector", EventID: 1 },
        ...{ Channel: "Microsoft-Windows-Sysmon/Operational", SourceName: "Microsoft-Windows-Sysmon", ...data },
      },
    ],
    [
      "the XML as JSON",
      {
        Event: {
          "#attributes": { xmlns: "http://schemas.microsoft.com/win/2004/08/events/event" },
          System: {
            Provider: { "#attributes": { Name: "Microsoft-Windows-Sysmon" } },
            EventID: { "#text": 1, "#attributes": { Qualifiers: 0 } },
            TimeCreated: { "#attributes": { SystemTime: "2025-11-27T07:40:10.165324Z" } },
            Channel: "Microsoft-Windows-Sysmon/Operational",
            Computer: "WS1",
            Correlation: null,
          },
          EventData: data,
        },
      },
    ],
    [
      "Winlogbeat 6",
      {
        ...{ "@timestamp": "2025-11-27T07:40:10.165Z", computer_name: "WS1", event_id: 1, host: { name: "collector" } },
        ...{
          log_name: "Microsoft-Windows-Sysmon/Operational",
          source_name: "Microsoft-Windows-Sysmon",
          event_data: data,
        },
      },
    ],
    [
      "Winlogbeat 8",
      {
        "@timestamp": "2025-11-27T07:40:10.165Z",
        event: { code: "1" },
        winlog: {
          ...{ channel: "Microsoft-Windows-Sysmon/Operational", provider_name: "Microsoft-Windows-Sysmon" },
          ...{ computer_name: "WS1", event_id: "1", event_data: data },
        },
      },
    ],
    [
      "Winlogbeat 8 with dotted names",
      {
        ...{ "@timestamp": "2025-11-27T07:40:10.165Z", "winlog.channel": "Microsoft-Windows-Sysmon/Operational" },
        ...{ "winlog.provider_name": "Microsoft-Windows-Sysmon", "winlog.computer_name": "WS1", "winlog.event_id": 1 },
        ...{ "winlog.event_data.Image": "C:\\x.exe", "winlog.event_data.User": "CORP\\ada" },
      },
    ],
  ])("parses %s", (_form, event) => {
    expect(toLog(event, ARRIVAL)).toMatchObject(expected);
  });

  it("keeps unnamed data as a list, named data under its name and the data of provider-specific elements", () => {
    const system = { Channel: "Application", EventID: 1, Provider: { "#attributes": { Name: "x" } } };
    const unnamed = { Event: { System: system, EventData: { Data: { "#text": ["one", "two"] } } } };
    expect(toLog(unnamed, ARRIVAL).attributes).toMatchObject({ Data: ["one", "two"] });
    const named = { Event: { System: system, EventData: { Data: [{ "#attributes": { Name: "A" }, "#text": "1" }] } } };
    expect(toLog(named, ARRIVAL).attributes).toMatchObject({ A: "1" });
    const own = { Event: { System: system, UserData: { Failure: { "#attributes": {}, Operation: "Start" } } } };
    expect(toLog(own, ARRIVAL)).toMatchObject({ action: "Start", attributes: { Operation: "Start" } });
  });

  it("adds Sysmon's names to those of Security for a new process", () => {
    const event = {
      ...{ Channel: "Security", EventID: 4688, Computer: "WS1", Keywords: "0x8020000000000000" },
      ...{ NewProcessName: "C:\\x.exe", ParentProcessName: "C:\\y.exe", SubjectUserName: "ada", CommandLine: "x -y" },
    };
    expect(toLog(event, ARRIVAL)).toMatchObject({
      ...{ process: "C:\\x.exe", user: "ada", outcome: "success", event_code: "4688", host: "WS1" },
      attributes: { Image: "C:\\x.exe", ParentImage: "C:\\y.exe", User: "ada", CommandLine: "x -y" },
    });
  });

  it("does not use the account of the Sysmon service as the user", () => {
    const access = {
      ...{ Channel: "Microsoft-Windows-Sysmon/Operational", EventID: 10, AccountName: "SYSTEM", UserID: "S-1-5-18" },
      ...{ SourceImage: "C:\\powershell.exe", TargetImage: "C:\\lsass.exe" },
    };
    expect(toLog(access, ARRIVAL).user).toBe("");
    expect(toLog({ ...access, SourceUser: "THESHIRE\\pgustavo" }, ARRIVAL).user).toBe("THESHIRE\\pgustavo");
    expect(toLog({ ...access, Channel: "Microsoft-Windows-PowerShell/Operational" }, ARRIVAL).user).toBe("SYSTEM");
  });

  it("uses the user who logs on in a logon event", () => {
    const event = {
      ...{
        Channel: "Security",
        EventID: 4625,
        EventType: "AUDIT_FAILURE",
        SubjectUserName: "WS1$",
        TargetUserName: "ada",
      },
      ...{ IpAddress: "::ffff:10.0.0.7", IpPort: "49152" },
    };
    const log = toLog(event, ARRIVAL);
    expect(log).toMatchObject({ user: "ada", src_ip: "10.0.0.7", src_port: 49_152, outcome: "failure" });
  });

  it("does not repeat fields of the log in the attributes", () => {
    const event = { Channel: "System", EventID: 7045, Computer: "WS1", Message: "A service was installed", Level: 2 };
    const log = toLog(event, ARRIVAL);
    expect(log).toMatchObject({ message: "A service was installed", severity: "high" });
    expect(log.attributes).toEqual({ Channel: "System", Level: 2 });
  });
});

describe("toLog, for any other event", () => {
  it("reads our own names, and does not repeat them in the attributes", () => {
    const own = {
      ...{ timestamp: "2026-01-02T03:04:05.006Z", source: "sshd", host: "gate", severity: "high", event_code: "5" },
      ...{ action: "login", outcome: "failure", user: "root", src_ip: "10.0.0.1", dst_ip: "10.0.0.2" },
      ...{ src_port: 1022, dst_port: 22, process: "sshd", message: "Failed password" },
    };
    expect(toLog({ ...own, extra: "x" }, ARRIVAL)).toEqual({
      ...ARRIVAL,
      ...own,
      timestamp_origin: "event",
      attributes: { extra: "x" },
    });
  });

  it("reads nested or dotted ECS and adds the names that rules use", () => {
    const nested = {
      "@timestamp": "2026-01-02T03:04:05Z",
      event: { action: "exec", outcome: "success", code: "9", dataset: "linux.process" },
      ...{ host: { name: "gate" }, user: { name: "root" }, log: { level: "warning" } },
      process: { executable: "/bin/sh", command_line: "sh -c id", parent: { executable: "/bin/bash" } },
      ...{ source: { ip: "10.0.0.1", port: 5 }, destination: { ip: "10.0.0.2", port: 22 } },
    };
    const dotted = {
      ...{
        "@timestamp": "2026-01-02T03:04:05Z",
        "event.action": "exec",
        "event.outcome": "success",
        "event.code": "9",
      },
      ...{ "event.dataset": "linux.process", "host.name": "gate", "user.name": "root", "log.level": "warning" },
      ...{
        "process.executable": "/bin/sh",
        "process.command_line": "sh -c id",
        "process.parent.executable": "/bin/bash",
      },
      ...{ "source.ip": "10.0.0.1", "source.port": 5, "destination.ip": "10.0.0.2", "destination.port": 22 },
    };
    const log = toLog(nested, ARRIVAL);
    expect(log).toMatchObject({
      ...{ timestamp: "2026-01-02T03:04:05.000Z", source: "linux.process", host: "gate", severity: "medium" },
      ...{ event_code: "9", action: "exec", outcome: "success", user: "root", process: "/bin/sh" },
      ...{ src_ip: "10.0.0.1", src_port: 5, dst_ip: "10.0.0.2", dst_port: 22 },
      attributes: { Image: "/bin/sh", CommandLine: "sh -c id", ParentImage: "/bin/bash", DestinationIp: "10.0.0.2" },
    });
    expect(toLog(dotted, ARRIVAL)).toEqual(log);
  });

  it.each([
    ["2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000Z"],
    [1_767_323_045, "2026-01-02T03:04:05.000Z"],
    [1_767_323_045.006, "2026-01-02T03:04:05.006Z"],
    [1_767_323_045_006, "2026-01-02T03:04:05.006Z"],
    [1_767_323_045_006_000, "2026-01-02T03:04:05.006Z"],
    [1_767_323_045_006_000_000, "2026-01-02T03:04:05.006Z"],
    ["2026-01-02 03:04:05", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02T03:04:05.006789", "2026-01-02T03:04:05.006Z"],
    ["2026-01-02 03:04:05,006", "2026-01-02T03:04:05.006Z"],
    ["2026-01-02 03:04:05 +0200", "2026-01-02T01:04:05.000Z"],
    ["02/Jan/2026:03:04:05 +0200", "2026-01-02T01:04:05.000Z"],
    ["1767323045006000000", "2026-01-02T03:04:05.006Z"],
    ["1767323045.006", "2026-01-02T03:04:05.006Z"],
    ["Fri, 02 Jan 2026 03:04:05 GMT", "2026-01-02T03:04:05.000Z"],
    // A day after the arrival.
    ["2026-05-02T08:00:00.000Z", "2026-05-02T08:00:00.000Z"],
  ])("parses the time %j as %s", (timestamp, expected) => {
    expect(toLog({ timestamp }, ARRIVAL)).toMatchObject({ timestamp: expected, timestamp_origin: "event" });
  });

  it.each(["yesterday", "20260102030405", -5, "2026-05-02T08:00:00.001Z", "2099-01-01T00:00:00Z", 4_070_908_800, ""])(
    "uses the time of arrival, marked as such, instead of the time %j",
    (timestamp) => {
      expect(toLog({ timestamp }, ARRIVAL)).toMatchObject({
        timestamp: ARRIVAL.ingested_at,
        timestamp_origin: "arrival",
      });
    },
  );

  it("keeps an unused time in the attributes", () => {
    expect(toLog({ timestamp: "2099-01-01T00:00:00Z" }, ARRIVAL).attributes).toEqual({
      timestamp: "2099-01-01T00:00:00Z",
    });
  });

  it("parses the day and the time of IIS, and the time of NXLog", () => {
    expect(toLog({ date: "2026-01-02", time: "03:04:05" }, ARRIVAL).timestamp).toBe("2026-01-02T03:04:05.000Z");
    expect(toLog({ EventTime: "2026-01-02 03:04:05" }, ARRIVAL).timestamp).toBe("2026-01-02T03:04:05.000Z");
  });

  it.each([
    ["0:0:0:0:0:0:0:1", "::1"],
    ["FE80::0001%eth0", "fe80::1"],
    ["::ffff:10.0.0.7", "10.0.0.7"],
  ])("writes the address %s in its canonical spelling", (src_ip, expected) => {
    expect(toLog({ src_ip }, ARRIVAL).src_ip).toBe(expected);
  });

  it("merges the objects of a list, so that their fields can be searched", () => {
    const event = {
      resources: [
        { ARN: "arn:1", type: "bucket", tags: ["a", "b"], owner: { name: "ada" } },
        { ARN: "arn:2", tags: ["c"], owner: { name: "bob" }, parts: [{ n: 1 }, { n: 2 }] },
      ],
      ...{ mix: [{ b: 2 }], scalars: [1, "x"], mixed: [1, { b: 2 }], none: [] },
    };
    expect(toLog(event, ARRIVAL).attributes).toEqual({
      resources: {
        ...{ ARN: ["arn:1", "arn:2"], type: "bucket", tags: ["a", "b", "c"], owner: { name: ["ada", "bob"] } },
        parts: { n: [1, 2] },
      },
      ...{ mix: { b: 2 }, scalars: [1, "x"], mixed: [1, { b: 2 }], none: [] },
    });
  });

  it("parses Sysmon's UtcTime as UTC", () => {
    expect(toLog({ UtcTime: "2026-01-02 03:04:05.006" }, ARRIVAL).timestamp).toBe("2026-01-02T03:04:05.006Z");
  });

  it("keeps an invalid address or port only in the attributes", () => {
    const log = toLog({ src_ip: "nowhere", dst_port: 70_000 }, ARRIVAL);
    expect(log).toMatchObject({ src_ip: "", dst_port: 0, attributes: { src_ip: "nowhere", dst_port: 70_000 } });
  });

  it("uses the source that the sender named, or an unknown one", () => {
    expect(toLog({ source: "a" }, { ...ARRIVAL, source: "b" })).toMatchObject({
      source: "b",
      attributes: { source: "a" },
    });
    expect(toLog({}, ARRIVAL).source).toBe("unknown");
  });

  it("drops null attributes and __proto__ attributes", () => {
    const event = JSON.parse('{"a": null, "b": {"c": null, "d": 1}, "__proto__": {"x": 1}, "e.__proto__.f": 2}');
    const { attributes } = toLog(event, ARRIVAL);
    expect(JSON.stringify(attributes)).toBe('{"b":{"d":1},"e":{}}');
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
  });
});

describe("toLog, for an event with more than 1,000 values", () => {
  const wide = (count: number, name = "k") =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at]));
  const LARGE = { ...ARRIVAL, raw: "x".repeat(10_000) };
  const restOf = ({ attributes }: { attributes: Record<string, unknown> }) => attributes.manara_rest;

  it("keeps 1,000 values as attributes", () => {
    const log = toLog(wide(1000), LARGE);
    expect(Object.keys(log.attributes)).toHaveLength(1000);
    expect(restOf(log)).toBeUndefined();
  });

  it("keeps the rest as one text with the number of its values, and loses none", () => {
    const event = { ...wide(600), deep: { ...wide(600, "d"), list: [{ x: 1 }, { x: 2 }] }, tags: ["a", "b"] };
    const log = toLog(event, LARGE);
    const { manara_rest: rest, ...kept } = log.attributes;
    const { values, text } = rest as { values: number; text: string };
    const restored = JSON.parse(text);
    expect(values).toBe(600 + 600 + 2 + 1 - 998);
    expect({ ...kept, tags: restored.tags }).toMatchObject({ ...wide(600), tags: ["a", "b"] });
    expect({ ...(kept.deep as object), ...restored.deep }).toEqual(event.deep);
  });

  it("fills the fields of the log from names that come last", () => {
    const log = toLog({ ...wide(5000), host: "WS1", user: "ada", "@timestamp": "2025-11-27T07:40:10.165Z" }, LARGE);
    expect(log).toMatchObject({ host: "WS1", user: "ada", timestamp: "2025-11-27T07:40:10.165Z" });
  });

  it("takes time that is linear in the values, also with dots in their names", () => {
    const began = performance.now();
    toLog(wide(100_000, "a.b"), LARGE);
    toLog({ a: Array.from({ length: 100_000 }, () => ({ x: 1 })) }, LARGE);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

import type { InvestigatedAlert } from "../../src/assistants/investigations/event-reader.ts";
import { toLog } from "../../src/logs/normalise/normalise.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import type { MemoryWorld } from "./memory-reader.ts";

/*
 * A synthetic intrusion: a document starts PowerShell, which connects to another machine and dumps LSASS. Beside it, a
 * service does its daily work. Both are on WS5; another host has the same process ids.
 */
const SYSMON = "Microsoft-Windows-Sysmon/Operational";
const START = Date.UTC(2026, 4, 1, 9, 0, 0);
const POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";

function event(id: string, seconds: number, fields: Record<string, unknown>): LogEvent {
  const at = new Date(START + seconds * 1000).toISOString();
  const all = { "@timestamp": at, Hostname: "WS5.corp.example", Channel: SYSMON, ...fields };
  return toLog(all, { id, site: "", ingested_at: "2026-05-01T12:00:00.000Z", raw: JSON.stringify(all) });
}

function started(id: string, seconds: number, [pid, image, line]: [number, string, string], parent: [number, string]) {
  return event(id, seconds, {
    ...{
      EventID: 1,
      ProcessId: pid,
      ProcessGuid: `{guid-${pid}}`,
      Image: image,
      CommandLine: line,
      LogonId: "0x51a2f",
    },
    ...{
      ParentProcessId: parent[0],
      ParentProcessGuid: `{guid-${parent[0]}}`,
      ParentImage: parent[1],
      User: "CORP\\ada",
    },
  });
}

export const SAMPLE_LOGS: readonly LogEvent[] = [
  started(
    "log-1",
    0,
    [100, "C:\\Program Files\\Office\\winword.exe", "winword.exe plan.docm"],
    [90, "C:\\Windows\\explorer.exe"],
  ),
  started("log-2", 5, [4321, POWERSHELL, "powershell -enc SQBFAFgA"], [100, "C:\\Program Files\\Office\\winword.exe"]),
  event("log-3", 8, {
    ...{ EventID: 3, ProcessId: 4321, ProcessGuid: "{guid-4321}", Image: POWERSHELL, User: "CORP\\ada" },
    ...{ SourceIp: "10.0.0.5", DestinationIp: "203.0.113.9", DestinationPort: 443 },
  }),
  started("log-4", 20, [4400, "C:\\Users\\ada\\Downloads\\dump.exe", "dump.exe lsass"], [4321, POWERSHELL]),
  event("log-5", 21, {
    ...{ EventID: 8, SourceProcessId: 4400, SourceProcessGuid: "{guid-4400}", TargetProcessId: 700, NewThreadId: 12 },
    ...{ SourceImage: "C:\\Users\\ada\\Downloads\\dump.exe", TargetImage: "C:\\Windows\\System32\\notepad.exe" },
    TargetProcessGuid: "{guid-700}",
  }),
  event("log-6", 30, {
    ...{ EventID: 13, ProcessId: 880, ProcessGuid: "{guid-880}", Image: "C:\\Windows\\System32\\svchost.exe" },
    ...{ TargetObject: "HKLM\\SOFTWARE\\Schedule\\TaskCache\\Tree\\Update", Details: "Binary Data" },
  }),
  started("log-7", 40, [555, "C:\\Program Files\\Tool\\tool.exe", "tool.exe"], [90, "C:\\Windows\\explorer.exe"]),
];

function alert(id: string, title: string, about: Partial<InvestigatedAlert>): InvestigatedAlert {
  return {
    ...{ id, title, rule_id: `rule-${id}`, severity: "medium", mitre_techniques: [], tactics: [], log_ids: [] },
    host: "ws5",
    ...about,
  };
}

export const SAMPLE_ALERTS = {
  encoded: alert("a1", "Encoded PowerShell", {
    ...{ severity: "high", mitre_techniques: ["T1059.001"], tactics: ["execution"], log_ids: ["log-2"] },
  }),
  dump: alert("a2", "LSASS Dump", {
    ...{ severity: "critical", mitre_techniques: ["T1003.001"], tactics: ["credential-access"], log_ids: ["log-4"] },
  }),
  task: alert("a3", "Scheduled Task Created", {
    ...{ severity: "low", mitre_techniques: ["T1053.005"], tactics: ["persistence"], log_ids: ["log-6"] },
  }),
  tool: alert("a4", "Rare Program", { severity: "medium", log_ids: ["log-7"] }),
};

/** Thirty quiet days in which the service did the same every second day. */
export const SAMPLE_WORLD: MemoryWorld = {
  logs: SAMPLE_LOGS,
  alerts: Object.values(SAMPLE_ALERTS),
  history: Array.from({ length: 30 }, (_, day) => ({
    rules: new Set(day % 2 === 0 ? ["rule-a3"] : []),
    images: new Set(["c:\\windows\\system32\\svchost.exe"]),
  })),
};

/**
 * The intrusion on another host, where its processes have the PIDs of the quiet ones here, and no sensor assigns a
 * GUID.
 */
export function onOtherHost(logs: readonly LogEvent[]): LogEvent[] {
  const numbers = new Map<unknown, number>([
    ...([
      [4321, 555],
      [4400, 880],
    ] as const),
    ...([
      [555, 4321],
      [880, 4400],
    ] as const),
  ]);
  return logs.map((log) => {
    const attributes = Object.entries(log.attributes).filter(([name]) => !/guid$/i.test(name));
    const swapped = attributes.map(([name, value]) => [
      name,
      /ProcessId$/.test(name) ? (numbers.get(value) ?? value) : value,
    ]);
    return { ...log, id: `other-${log.id}`, host: "SRV9.corp.example", attributes: Object.fromEntries(swapped) };
  });
}

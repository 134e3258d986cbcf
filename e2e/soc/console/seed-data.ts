/** The seed data of the test SOC. The texts are invented; every value is fixed, so that pictures stay the same. */

export const SITES = ["Headquarters", "Waterworks"] as const;

export const PEOPLE = [
  { username: "layla.amari", role: "tier2" },
  { username: "yara.haddad", role: "responder" },
  { username: "omar.saleh", role: "tier1" },
  { username: "mei.tan", role: "manager" },
  { username: "dana.wolf", role: "detection" },
  { username: "audra.klein", role: "auditor" },
] as const;

export const HOSTS = [
  "fin-ws-014",
  "fin-ws-022",
  "dc-01",
  "mail-02",
  "kiosk-07",
  "gw-waterworks-02",
  "build-03",
  "hr-ws-003",
] as const;

export const DEVICES = ["hall-player", "north-mosque-player", "school-player-2"] as const;

/** Names and reasons of exceptions, automations and channels. */
export const RECORDS = ["Scanner of the security team", "Backup at night", "Room of the shift"] as const;

export const ALERT_KINDS = [
  {
    title: "LSASS memory read by unsigned process",
    query: "process:procdump* action:memory_read",
    technique: "T1003.001",
    severity: "critical",
    source: "edr",
  },
  {
    title: "PowerShell download cradle",
    query: 'process:powershell* "-enc"',
    technique: "T1059.001",
    severity: "high",
    source: "winlog",
  },
  {
    title: "Many failed sign-ins, then one success",
    query: "action:signin outcome:failure",
    technique: "T1110",
    severity: "high",
    source: "winlog",
  },
  {
    title: "Known indicator: cdn-update.example",
    query: '"cdn-update.example"',
    technique: "T1071.001",
    severity: "medium",
    source: "proxy",
  },
  {
    title: "New local administrator",
    query: "event_code:4732",
    technique: "T1098",
    severity: "medium",
    source: "winlog",
  },
  {
    title: "Mail rule forwards to an outside address",
    query: "action:new_inbox_rule",
    technique: "T1114.003",
    severity: "low",
    source: "mail",
  },
  {
    title: "Port scan from a printer",
    query: "source:firewall action:deny",
    technique: "T1046",
    severity: "info",
    source: "firewall",
  },
] as const;

export const CASES = [
  { title: "Credential theft in finance", severity: "critical", status: "open" },
  { title: "Mail forwarding by an outsider", severity: "high", status: "investigating" },
  { title: "Scan from the printer network", severity: "low", status: "investigating" },
  { title: "Phishing wave of October", severity: "medium", status: "resolved" },
] as const;

export const HUNTS = [
  {
    title: "Encoded PowerShell by people",
    description: "Service accounts are known; everyone else is to be looked at.",
    query: 'process:powershell* "-enc" NOT user:svc-*',
    sharing_mode: "team",
    tags: ["execution"],
  },
  {
    title: "Talk to the controller",
    description: "By address and by name.",
    query: 'dst_ip:203.0.113.24 OR "cdn-update.example"',
    sharing_mode: "team",
    tags: ["c2"],
  },
] as const;

export const IOCS = [
  { value: "cdn-update.example", severity: "critical", tlp: "amber", tags: ["c2"], force: true },
  { value: "203.0.113.24", severity: "high", tlp: "amber+strict", tags: ["c2"], force: true },
  { value: "hxxps://files.example/invoice.zip", severity: "medium", tlp: "green", force: true },
  { value: "ab".repeat(32), severity: "low", tlp: "clear" },
] as const;

const LOG_KINDS = [
  { source: "winlog", process: "powershell.exe", action: "process_start", severity: "high", event_code: "4688" },
  { source: "winlog", process: "lsass.exe", action: "signin", severity: "info", event_code: "4624" },
  { source: "edr", process: "procdump64.exe", action: "memory_read", severity: "critical", event_code: "10" },
  { source: "proxy", process: "chrome.exe", action: "connect", severity: "low", event_code: "tcp" },
  { source: "firewall", process: "", action: "deny", severity: "info", event_code: "deny" },
] as const;

const STEP_MS = 97_000;
const DAY_MS = 20 * 3_600_000;

/** The log with this number; all lie within the last twenty hours. */
export function makeLog(at: number, nowMs: number): object {
  const { process, ...kind } = LOG_KINDS[at % LOG_KINDS.length] ?? LOG_KINDS[0];
  const host = HOSTS[(at * 5) % HOSTS.length];
  const user = PEOPLE[(at * 3) % PEOPLE.length]?.username;
  return {
    ...kind,
    ...(process !== "" && { process }),
    timestamp: new Date(nowMs - ((at * STEP_MS) % DAY_MS) - 60_000).toISOString(),
    host,
    user,
    src_ip: `192.0.2.${at % 250}`,
    dst_ip: at % 9 === 0 ? "203.0.113.24" : `198.51.100.${at % 250}`,
    dst_port: 443,
    outcome: at % 6 === 0 ? "failure" : "success",
    message: `${process || "packet"} on ${host}: ${kind.action} number ${at}${at % 9 === 0 ? " to cdn-update.example" : ""}`,
    attributes: {
      command_line: `${process} -nop -w hidden -enc SQBFAFgA${at}`,
      session: at % 40,
      tls: { sni: "cdn-update.example" },
    },
  };
}

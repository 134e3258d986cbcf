import type { SeededRecords } from "./seed.ts";

export interface ConsolePage {
  name: string;
  path: (furnished: SeededRecords) => string;
  /** A part of the heading, in English. */
  heading: RegExp;
  /** How many of the payloads a SOC that has them in every field must show here, at least. */
  shows?: number;
  /** Shows the first case, which has everything. */
  isOfFirstCase?: boolean;
}

const first = (ids: readonly string[]) => ids[0] ?? "";

const ofCase = (tab: string, shows: number): ConsolePage => ({
  name: `case-${tab}`,
  path: ({ caseIds }) => `/cases/${first(caseIds)}/${tab}`,
  heading: /./,
  shows,
  isOfFirstCase: true,
});

const ofRule = (tab: string): ConsolePage => ({
  name: `detection-${tab}`,
  path: ({ ruleIds }) => `/detections/${first(ruleIds)}/${tab}`,
  heading: /./,
});

const ofPlaybook = (tab: string, shows: number): ConsolePage => ({
  name: `playbook-${tab}`,
  path: ({ playbookIds }) => `/playbooks/${first(playbookIds)}/${tab}`,
  heading: /./,
  shows,
});

/** Every page of the console. A new page is one more line. */
export const PAGES: readonly ConsolePage[] = [
  { name: "overview", path: () => "/", heading: /./ },
  { name: "inbox", path: () => "/inbox", heading: /inbox/i },
  { name: "alerts", path: () => "/alerts?q=*", heading: /alerts/i, shows: 80 },
  { name: "alerts-groups", path: () => "/alerts?q=*&by=host", heading: /alerts/i, shows: 50 },
  { name: "alerts-pane", path: ({ alertIds }) => `/alerts?q=*&pane=${first(alertIds)}`, heading: /alerts/i, shows: 80 },
  { name: "alert", path: ({ alertIds }) => `/alerts/${first(alertIds)}`, heading: /./, shows: 80 },
  { name: "cases", path: () => "/cases", heading: /cases/i, shows: 80 },
  { name: "cases-board", path: () => "/cases?as=board", heading: /cases/i, shows: 20 },
  ofCase("timeline", 40),
  ofCase("alerts", 40),
  ofCase("evidence", 40),
  ofCase("observables", 40),
  ofCase("tasks", 40),
  ofCase("graph", 1),
  ofCase("runs", 0),
  ofCase("report", 0),
  { name: "approvals", path: () => "/approvals", heading: /approvals/i, shows: 40 },
  { name: "approval", path: ({ approvalIds }) => `/approvals/${first(approvalIds)}`, heading: /./, shows: 40 },
  { name: "hunt", path: () => "/hunt?q=*&from=-24h", heading: /hunt/i, shows: 40 },
  { name: "hunt-saved", path: ({ huntIds }) => `/hunt/saved/${first(huntIds)}`, heading: /./ },
  { name: "log", path: ({ logIds }) => `/hunt/log/${first(logIds)}`, heading: /./, shows: 80 },
  { name: "detections", path: () => "/detections", heading: /detections/i, shows: 40 },
  { name: "detections-suppressions", path: () => "/detections?tab=suppressions", heading: /detections/i },
  { name: "detections-health", path: () => "/detections?tab=health", heading: /detections/i },
  { name: "detections-exceptions", path: () => "/detections?tab=exceptions", heading: /detections/i },
  { name: "detection-new", path: () => "/detections/new", heading: /new rule/i },
  { name: "detections-import", path: () => "/detections/import", heading: /import/i },
  ...["edit", "matches", "runs", "versions", "exceptions", "suppressions", "feedback"].map(ofRule),
  { name: "attack", path: () => "/attack", heading: /att&ck/i },
  { name: "attack-ics", path: () => "/attack?matrix=ics&pane=T0855", heading: /att&ck/i },
  { name: "indicators", path: () => "/indicators", heading: /indicators/i },
  { name: "indicator", path: ({ iocIds }) => `/indicators/${first(iocIds)}`, heading: /./ },
  { name: "playbooks", path: () => "/playbooks", heading: /playbooks/i, shows: 40 },
  ofPlaybook("view", 40),
  ofPlaybook("edit", 0),
  ofPlaybook("versions", 40),
  { name: "automations", path: () => "/playbooks?tab=automations", heading: /playbooks/i },
  { name: "runs", path: () => "/runs", heading: /runs/i, shows: 40 },
  { name: "run", path: ({ runIds }) => `/runs/${first(runIds)}`, heading: /./, shows: 40 },
  { name: "in-force", path: () => "/runs?tab=in-force", heading: /runs/i },
  { name: "endpoints", path: () => "/endpoints", heading: /endpoints/i },
  { name: "endpoint", path: ({ endpointIds }) => `/endpoints/${first(endpointIds)}`, heading: /./ },
  { name: "devices", path: () => "/devices", heading: /devices/i, shows: 40 },
  { name: "device", path: ({ deviceIds }) => `/devices/${first(deviceIds)}`, heading: /./, shows: 40 },
  { name: "firmware", path: () => "/devices/firmware", heading: /firmware/i },
  { name: "correlations", path: () => "/correlations", heading: /correlations/i },
  { name: "wall", path: () => "/wall", heading: /needs people/i },
  { name: "entity", path: () => "/entity/host/fin-ws-014", heading: /fin-ws-014/ },
  { name: "reports", path: () => "/reports", heading: /reports/i },
  { name: "report", path: ({ reportIds }) => `/reports/${first(reportIds)}`, heading: /./ },
  { name: "ledger", path: () => "/ledger", heading: /ledger/i },
  { name: "ledger-verify", path: ({ caseIds }) => `/ledger?view=verify&case=${first(caseIds)}`, heading: /ledger/i },
  { name: "audit", path: () => "/audit", heading: /audit/i },
  { name: "agents", path: () => "/agents?pane=agent-001", heading: /agents/i },
  { name: "investigations", path: () => "/agents/investigations", heading: /investigations/i },
  {
    name: "investigation",
    path: ({ investigationIds }) => `/agents/investigations/${first(investigationIds)}`,
    heading: /./,
  },
  { name: "me", path: () => "/settings/me", heading: /./ },
  { name: "users", path: () => "/settings/users?pane=admin", heading: /users/i },
  { name: "roles", path: () => "/settings/roles", heading: /roles/i },
  { name: "api-keys", path: () => "/settings/keys", heading: /api keys/i },
  { name: "sites", path: () => "/settings/sites", heading: /sites/i },
  { name: "sources", path: () => "/settings/sources", heading: /sources/i },
  { name: "dead-letters", path: () => "/settings/dead-letters", heading: /dead letters/i },
  { name: "channels", path: () => "/settings/channels", heading: /channels/i },
  { name: "system", path: () => "/settings/system", heading: /system/i },
  { name: "runtime", path: () => "/settings/runtime", heading: /runtime/i },
];

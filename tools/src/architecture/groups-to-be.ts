import { isGroup } from "./layout.ts";

const SOC = "apps/soc/src/";

/** The group of each flat folder of the SOC. */
const GROUP_OF_FOLDER: Readonly<Record<string, string>> = {
  audit: "foundation",
  events: "foundation",
  health: "foundation",
  lists: "foundation",
  outbound: "foundation",
  records: "foundation",
  runtime: "foundation",
  "api-keys": "identity",
  auth: "identity",
  users: "identity",
  alerts: "casework",
  cases: "casework",
  ledger: "casework",
  sites: "casework",
  intake: "logs",
  siem: "logs",
  attack: "detection",
  detections: "detection",
  iocs: "detection",
  approvals: "response",
  edr: "response",
  notifications: "response",
  soar: "response",
  reports: "reporting",
  stats: "reporting",
};

/** Files that do not go where their folder goes. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "adapters/postgres.ts": "foundation/database/postgres.ts",
};

/** Where a file of the flat layout will stand. */
export function movedToGroup(path: string): string {
  if (!path.startsWith(SOC)) return path;
  const inside = path.slice(SOC.length);
  const [folder = "", ...rest] = inside.split("/");
  const exception = EXCEPTIONS[inside];
  if (exception) return `${SOC}${exception}`;
  if (rest.length === 0) return folder.startsWith("main") ? path : `${SOC}composition/${folder}`;
  const group = isGroup(folder) ? undefined : GROUP_OF_FOLDER[folder];
  return group ? `${SOC}${group}/${inside}` : path;
}

import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

const TEST = /(^e2e\/|^apps\/[^/]+\/testing\/|\.(test|itest|e2e)\.[jt]sx?$)/;
const SERVICE = /^apps\/(?:player|soc)\/src\//;
const USER_INTERFACE = /^apps\/(?:player-dashboard|soc-console)\/src\//;
const EXAMPLE = /^apps\/[^/]+\/examples\//;
const INFRASTRUCTURE = new Set(["adapters", "drivers", "migrations", "outbound"]);
const INFRASTRUCTURE_OF_FOUNDATION = new Set(["database", "outbound"]);
const ROLE = /\.([a-z-]+)\.ts$/;

/** Also what only tests need: the journeys' own folder, and a product's harness beside its sources. */
export function isTest(path: string): boolean {
  return TEST.test(path);
}

export function isToolConfig(path: string): boolean {
  return /(^|\/)(vite|vitest)\.config\.ts$/.test(path);
}

export function isService(path: string): boolean {
  return SERVICE.test(path);
}

export function isUserInterface(path: string): boolean {
  return USER_INTERFACE.test(path);
}

export function isKit(path: string): boolean {
  return path.startsWith("packages/");
}

/** Code that runs in a product: services, user interfaces and the kit, without tests, build settings, and examples for others. */
export function isProductCode(path: string): boolean {
  return (isKit(path) || path.startsWith("apps/")) && !isTest(path) && !isToolConfig(path) && !EXAMPLE.test(path);
}

/** Folders of a group that share stores: together they are one feature. */
const PARTS: Readonly<Record<string, string>> = {
  "casework/alert-summaries": "casework/alerts",
  "casework/case-files": "casework/cases",
  "casework/case-merges": "casework/cases",
  "casework/case-sla": "casework/cases",
  "casework/case-templates": "casework/cases",
  "casework/bulk-changes": "casework/alerts",
  "casework/entities": "casework/alerts",
  "logs/log-fields": "logs/siem",
  "logs/log-summaries": "logs/siem",
  "logs/normalise": "logs/siem",
  "logs/processes": "logs/siem",
  "logs/query": "logs/siem",
  "logs/search": "logs/siem",
  "logs/searches": "logs/siem",
  "detection/backtests": "detection/detections",
  "detection/exceptions": "detection/detections",
  "detection/matches": "detection/detections",
  "detection/matching": "detection/detections",
  "detection/partitions": "detection/detections",
  "detection/rule-files": "detection/detections",
  "detection/rules": "detection/detections",
  "detection/runs": "detection/detections",
  "detection/scheduling": "detection/detections",
  "detection/sigma": "detection/detections",
  "logs/partitions": "logs/intake",
  "response/automations": "response/soar",
  "response/executions": "response/soar",
  "response/playbooks": "response/soar",
  "devices/attestation": "devices/cps",
  "devices/broker": "devices/cps",
  "devices/certificates": "devices/cps",
  "devices/correlations": "devices/cps",
  "devices/events": "devices/cps",
  "devices/registry": "devices/cps",
};

/** The groups of features of the SOC, lowest first: a file imports from its own group and from groups before it. */
export const GROUPS = [
  "foundation",
  "identity",
  "casework",
  "logs",
  "detection",
  "response",
  "devices",
  "reporting",
  "assistants",
] as const;

export type Group = (typeof GROUPS)[number];

export function isGroup(folder: string): folder is Group {
  return GROUPS.some((group) => group === folder);
}

/** Where a file stands in a service. */
export type Place =
  /** composition/, main*.ts, player.ts, platform*.ts, app.ts and worker.ts: they put the parts together. */
  | { kind: "composition" }
  /** config.ts, events.ts, foundation/base.ts: known to all. */
  | { kind: "surface" }
  | { kind: "infrastructure"; folder: string }
  /** `isPure`: a plain file that must do without the stores and services of its feature. */
  | { kind: "feature"; feature: string; role: string; isPure: boolean };

export function findPlace(path: string): Place | undefined {
  if (!isService(path)) return undefined;
  const folders = path.replace(SERVICE, "").split("/");
  const file = folders.pop() ?? "";
  const [first, second] = folders;
  if (first === undefined)
    return { kind: /^(main.*|app|platform.*|player|worker)\.ts$/.test(file) ? "composition" : "surface" };
  if (first === "boot") return { kind: "composition" };
  if (INFRASTRUCTURE.has(first)) return { kind: "infrastructure", folder: first };
  const role = roleOf(path) ?? "domain";
  if (!(path.startsWith("apps/soc/") && isGroup(first))) return { kind: "feature", feature: first, role, isPure: true };
  if (second === undefined) return { kind: "surface" };
  const folder = `${first}/${second}`;
  const isInfrastructure = first === "foundation" && INFRASTRUCTURE_OF_FOUNDATION.has(second);
  if (isInfrastructure) return { kind: "infrastructure", folder };
  return { kind: "feature", feature: PARTS[folder] ?? folder, role, isPure: isNounOf(file, folders.at(-1) ?? "") };
}

/** `case.ts` in `cases/`: the thing itself, and pure functions. */
function isNounOf(file: string, folder: string): boolean {
  const noun = file.replace(/\.ts$/, "");
  return folder === noun || folder === `${noun}s`;
}

/** `store` for `cases.store.ts`; undefined for a plain file. */
export function roleOf(path: string): string | undefined {
  return ROLE.exec(posix.basename(path))?.[1];
}

/** The file that a relative import names; undefined for a package. */
export function resolveImport(file: SourceFile, specifier: string): string | undefined {
  return specifier.startsWith(".") ? posix.join(posix.dirname(file.path), specifier) : undefined;
}

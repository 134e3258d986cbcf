import { readContract } from "@kit/testing/route-tables";

/** A possible request, to a route or to an unknown path. */
export interface Row {
  method: string;
  path: string;
  needs: string;
  isServed: boolean;
  /** False for documented paths with another method, and for unknown paths. */
  isDocumented: boolean;
}

/** A caller's identity, independent of its credentials. */
export type Standing =
  | { kind: "anonymous" }
  | { kind: "user"; role: string; isFromAnotherSite?: boolean }
  | { kind: "api_key"; scopes: readonly string[] };

/** A request that passes the gate may still be refused for its content. */
export type Verdict = 401 | 403 | 404 | "past the gate";

export interface CallersTable {
  rows: Row[];
  /** The routes that must be registered, one line each. */
  served: string[];
  roles: string[];
  /** Every permission that a documented route needs. */
  permissions: string[];
  decideVerdict(row: Row, standing: Standing): Verdict;
}

interface Holders {
  roles: string[];
  of(need: string): readonly string[];
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const UNKNOWN_PATHS = ["/api/v1", "/api/v1/", "/api/v1/nowhere", "/api/v1/alerts/{alert_id}/nowhere"];

// From the API document, "Authentication", row "API key".
const BY_KEY = [
  /^(?!POST \/api\/v1\/siem\/dead-letters\/|PATCH \/api\/v1\/siem\/sources\/|GET \/api\/v1\/siem\/logs\/tail)\S+ \/api\/v1\/(alerts|entities|siem|iocs|cps)\b/,
  /^(?!DELETE )\S+ \/api\/v1\/cases\b/,
  /^GET \/api\/v1\/(detections|edr)\b/,
  /^POST \/api\/v1\/detections\/rules\/(import|bulk)$/,
  /^PUT \/api\/v1\/edr\/endpoints\b/,
  /^(GET|POST) \/api\/v1\/tools\b/,
  /^(GET|POST|DELETE) \/mcp\b/,
  /^GET \/metrics$/,
  /^GET \/api\/v1\/(soar\/(playbooks|executions)|playbooks|reports|stats|dashboard|correlations|firmware)\b/,
  /^POST \/api\/v1\/(soar\/)?playbooks\/\{id\}\/execute$/,
  /^POST \/api\/v1\/soar\/(playbooks\/\{id\}\/toggle|executions\/\{id\}\/cancel)$/,
  /^POST \/api\/v1\/(edr\/endpoints\/\{id\}\/(isolate|unisolate|scan)|reports|correlations\/\{id\}\/case)$/,
  /^PUT \/api\/v1\/firmware\b/,
  /^POST \/(services\/collector|_bulk|\{index\}\/_bulk|v1\/logs)\b/,
];

/** Reads who may do what from the API document alone, independent of the code. */
export function readCallersTable(document: string, notYetDocument: string): CallersTable {
  const { documented, served } = readContract(document, notYetDocument, "SOC");
  const holders = readHolders(document);
  const routes = served.map(parseRoute);
  // A documented route that is not implemented is answered like an unknown path.
  const known = [...documented.map(parseRoute), ...routes];
  const paths = new Set([...known.map(({ path }) => path), ...UNKNOWN_PATHS]);
  const needs = new Set(known.flatMap((route) => route.needs.split(" ")));
  return {
    rows: [...paths].flatMap((path) => METHODS.map((method) => findRow(method, path))),
    served,
    roles: holders.roles,
    permissions: [...needs].filter((need) => need.includes(":") && need !== "role:admin"),
    decideVerdict: (row, standing) => decideVerdict(row, standing, holders),
  };

  function findRow(method: string, path: string): Row {
    const isDocumented = known.some((route) => route.method === method && route.path === path);
    const ofMethod = routes.filter((route) => route.method === method);
    const route = ofMethod.find((each) => each.path === path) ?? ofMethod.find((each) => isMatch(each.path, path));
    if (route) return { ...route, path, isServed: true, isDocumented };
    const isPublic = !path.startsWith("/api/v1");
    return { method, path, needs: isPublic ? "public" : "authenticated", isServed: false, isDocumented };
  }
}

function decideVerdict(row: Row, standing: Standing, holders: Holders): Verdict {
  const passed = row.isServed ? "past the gate" : 404;
  const isForeign = standing.kind === "user" && standing.isFromAnotherSite;
  // The Model Context Protocol lets a server refuse every request from another site.
  if (isForeign && row.isServed && row.path.endsWith("/mcp")) return 403;
  if (row.needs === "public") return passed;
  // Only the token of a provider counts there, and no caller of the platform has one.
  if (row.needs === "scim") return 401;
  if (standing.kind === "anonymous") return 401;
  if (standing.kind === "api_key" && row.isServed && !acceptsKey(row)) return 403;
  if (isForeign && isChange(row)) return 403;
  if (row.needs === "authenticated") return passed;
  const holds = (need: string) =>
    standing.kind === "api_key" ? standing.scopes.includes(need) : holders.of(need).includes(standing.role);
  return row.needs.split(" ").every(holds) ? passed : 403;
}

function acceptsKey({ method, path }: Row): boolean {
  return BY_KEY.some((routes) => routes.test(`${method} ${path}`));
}

function isChange({ method }: Row): boolean {
  return method !== "GET" && method !== "HEAD";
}

function parseRoute(line: string): Pick<Row, "method" | "path" | "needs"> {
  const [method = "", path = "", ...needs] = line.split(" ");
  return { method, path, needs: needs.join(" ") };
}

/** Whether a path also matches a route with parameters, as /users/me matches /users/{username}. */
function isMatch(pattern: string, path: string): boolean {
  const parts = path.split("/");
  const wanted = pattern.split("/");
  return wanted.length === parts.length && wanted.every((part, i) => part.startsWith("{") || part === parts[i]);
}

/** Reads the table of roles: a row names permissions (`…` stands for any name) and marks the roles that hold them. */
function readHolders(document: string): Holders {
  const section = document.split("\n### ").find((part) => part.startsWith("Permissions\n")) ?? "";
  const [head = [], , ...lines] = section.split("\n").filter(isTableLine).map(splitCells);
  const roles = head.slice(1);
  const held = lines.map(([what = "", ...crosses]) => ({
    permissions: [...what.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    isForAdmin: what.includes("the users routes"),
    holders: roles.filter((_role, i) => crosses[i] === "x"),
  }));
  return {
    roles,
    of(need) {
      const row = held.find(({ permissions, isForAdmin }) =>
        need === "role:admin" ? isForAdmin : permissions.some((name) => isNamed(name, need)),
      );
      if (!row) throw new Error(`the table of roles does not know '${need}'`);
      return row.holders;
    },
  };
}

function isTableLine(line: string): boolean {
  return line.startsWith("|");
}

function splitCells(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function isNamed(name: string, permission: string): boolean {
  return name.startsWith("…") ? permission.endsWith(name.slice(1)) : name === permission;
}

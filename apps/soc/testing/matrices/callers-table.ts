import { formatRoute, listRoutes, type Route, type RoutesDocument } from "@kit/testing/route-tables";

/** A possible request, to a route or to an unknown path. */
export interface Row {
  method: string;
  path: string;
  needs: string;
  isServed: boolean;
  /** False for documented paths with another method, and for unknown paths. */
  isDocumented: boolean;
  takesKey: boolean;
  /** Whether an API key is also accepted as a bearer token, as scrapers of metrics send it. */
  takesBearerKey: boolean;
}

/** A caller's identity, independent of its credentials. */
export type CallerIdentity =
  | { kind: "anonymous" }
  | { kind: "user"; role: string; isFromAnotherSite?: boolean }
  | { kind: "api_key"; scopes: readonly string[]; isBearer?: boolean };

/** A request that passes the gate may still be refused for its content. */
export type Verdict = 401 | 403 | 404 | "past the gate";

export interface CallersTable {
  rows: Row[];
  /** The routes that must be registered, one line each. */
  served: string[];
  roles: string[];
  /** Every permission that a documented route needs. */
  permissions: string[];
  decideVerdict(row: Row, standing: CallerIdentity): Verdict;
}

interface Holders {
  roles: string[];
  of(need: string): readonly string[];
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const UNKNOWN_PATHS = ["/api/v1", "/api/v1/", "/api/v1/nowhere", "/api/v1/alerts/{alert_id}/nowhere"];

/** Reads who may do what from the OpenAPI document, and from the table of roles on the page of the API. */
export function readCallersTable(openapi: RoutesDocument, page: string): CallersTable {
  const routes = listRoutes(openapi);
  const holders = readHolders(page);
  const paths = new Set([...routes.map(({ path }) => path), ...UNKNOWN_PATHS]);
  const needs = new Set(routes.flatMap((route) => route.needs.split(" ")));
  return {
    rows: [...paths].flatMap((path) => METHODS.map((method) => findRow(method, path))),
    served: routes.map(formatRoute).toSorted(),
    roles: holders.roles,
    permissions: [...needs].filter((need) => need.includes(":") && need !== "role:admin"),
    decideVerdict: (row, standing) => decideVerdict(row, standing, holders),
  };

  function findRow(method: string, path: string): Row {
    const ofMethod = routes.filter((route) => route.method === method);
    const documented = ofMethod.find((each) => each.path === path);
    const route = documented ?? ofMethod.find((each) => isMatch(each.path, path));
    const isDocumented = documented !== undefined;
    if (route) return { method, path, needs: route.needs, isServed: true, isDocumented, ...readKeySchemes(route) };
    const needs = path.startsWith("/api/v1") ? "authenticated" : "public";
    return { method, path, needs, isServed: false, isDocumented, takesKey: false, takesBearerKey: false };
  }
}

function decideVerdict(row: Row, standing: CallerIdentity, holders: Holders): Verdict {
  const passed = row.isServed ? "past the gate" : 404;
  const isForeign = standing.kind === "user" && standing.isFromAnotherSite;
  // The Model Context Protocol lets a server refuse every request from another site.
  if (isForeign && row.isServed && row.path.endsWith("/mcp")) return 403;
  if (row.needs === "public") return passed;
  // Only the token of a provider is valid there, and no caller of the platform has one.
  if (row.needs === "scim") return 401;
  if (standing.kind === "anonymous" || (standing.kind === "api_key" && standing.isBearer && !row.takesBearerKey))
    return 401;
  if (standing.kind === "api_key" && row.isServed && !row.takesKey) return 403;
  if (isForeign && isChange(row)) return 403;
  if (row.needs === "authenticated") return passed;
  const holds = (need: string) =>
    standing.kind === "api_key" ? standing.scopes.includes(need) : holders.of(need).includes(standing.role);
  return row.needs.split(" ").every(holds) ? passed : 403;
}

function readKeySchemes({ operation }: Route): Pick<Row, "takesKey" | "takesBearerKey"> {
  return {
    takesKey: operation.security.some((scheme) => "key" in scheme),
    takesBearerKey: operation["x-key-schemes"]?.includes("bearer") ?? false,
  };
}

function isChange({ method }: Row): boolean {
  return method !== "GET" && method !== "HEAD";
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

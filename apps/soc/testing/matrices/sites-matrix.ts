import type { OutgoingHttpHeaders } from "node:http";
import { createClock } from "@kit/clock";
import { PERMISSIONS } from "../../src/foundation/caller/permissions.schema.ts";
import type { CallersPlatform } from "../harness/callers-platform.ts";
import { BODIES, makeWorld, pathIn, QUERIES } from "../harness/sample-world.ts";
import { ADMIN_PASSWORD } from "../harness/whole-platform.ts";
import type { SendRequest, World } from "../harness/world.ts";

/** A site that is filled with records of each kind. */
interface FilledSite {
  id: string;
  name: string;
  /** A word that every text of its records contains, and no other text. */
  canary: string;
  world: World;
}

interface SiteRequest {
  route: string;
  path: string;
  payload: object | undefined;
}

/** A caller restricted to the records of one site. */
interface LimitedCaller {
  name: string;
  headers: OutgoingHttpHeaders;
}

const clock = createClock();
const MAX_REPEATS = 10;
const TEXTS = [
  "title",
  "description",
  "body",
  "reason",
  "source",
  "hostname",
  "name",
  "query",
  "message",
  "host",
  "user",
];
const UNMARKED = /^\/(users|api-keys|views|soar|notifications|detections|agents|iocs)/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The prefix of well-formed ids that no record has. */
const NOTHING = "0197f000-0000-7000-8000-00000000de";
/** Routes that end or change the access of the calling user. */
const OWN_ACCESS = /\/(auth|me)\//;
/** Records that belong to a site. */
const OF_SITES = ["alerts", "cases", "endpoints", "devices", "executions", "approvals", "investigations", "logs"];

/** Queries that end with a word of a record. */
const PROBES = [
  "/alerts?q=",
  "/alerts?host=",
  "/alerts?source=world ",
  "/alerts?query=title:",
  "/alerts/summary?q=",
  "/alerts/groups?by=rule_id&q=",
  "/cases?q=",
  "/search?q=",
  "/edr/endpoints?q=",
  "/entities/host/",
  "/entities/graph?seed=host:",
  "/siem/logs?query=",
  "/siem/logs/histogram?query=",
  "/siem/logs/facets?query=",
  "/siem/fields/host/values?prefix=",
  "/siem/query/completion?q=host:",
  "/siem/process-tree?host=",
].map((path) => path.replaceAll(" ", "%20"));

/** Creates two sites with records of each kind, and callers restricted to the first one. */
export async function fillTwoSites(platform: CallersPlatform) {
  const own = await fillSite(platform, "Alpha", "canaryofalpha");
  const guard = { username: "guard", password: ADMIN_PASSWORD, role: "admin", sites: [own.name] };
  await platform.asAdmin("POST", "/users", guard);
  const bound = { name: "bound", scopes: PERMISSIONS, sites: [own.name] };
  const { key } = await platform.asAdmin("POST", "/api-keys", bound);
  const { token } = await platform.signIn("guard");
  const callers: LimitedCaller[] = [
    { name: "a user", headers: { authorization: `Bearer ${token}` } },
    { name: "an API key", headers: { "x-api-key": key } },
  ];
  const before = await readAll(platform, callers, own);
  const other = await fillSite(platform, "Beta", "canaryofbeta");
  return { own, other, callers, before };
}

export type TwoSites = Awaited<ReturnType<typeof fillTwoSites>>;

async function fillSite(platform: CallersPlatform, name: string, canary: string): Promise<FilledSite> {
  const named = `${name} ${canary}`;
  const { id } = await platform.asAdmin("POST", "/sites", { name: named, profile: { asset_classes: ["it"] } });
  const { token } = await platform.signIn("admin");
  const ask: SendRequest = (method, path, payload) => {
    const marked = payload && !UNMARKED.test(path) ? mark(payload, canary) : payload;
    return platform.ask(method, `/api/v1${path}`, { authorization: `Bearer ${token}` }, marked);
  };
  const world = await makeWorld(ask);
  const log_id = await sendLogs(platform, named, canary);
  await placeAtSite(platform, named, world);
  return { id, name: named, canary, world: { ...world, ...(log_id !== undefined && { logs: log_id }) } };
}

/** The same payload with the canary in every text. */
function mark(payload: object, canary: string): object {
  return Object.fromEntries(
    Object.entries(payload).map(([field, value]: [string, unknown]) => {
      if (typeof value === "string" && TEXTS.includes(field)) return [field, `${value} ${canary}`];
      return [field, value];
    }),
  );
}

/** Sends logs with a key that is bound to the site, and waits until one of them can be found. */
async function sendLogs({ asAdmin, ask }: CallersPlatform, site: string, canary: string): Promise<string | undefined> {
  const named = canary.replaceAll(/\W/g, "");
  const { key } = await asAdmin("POST", "/api-keys", { name: named, scopes: ["siem:ingest"], sites: [site] });
  const sent = await ask(
    "POST",
    `/api/v1/siem/ingest?source=${canary}`,
    { "x-api-key": key },
    {
      message: `${canary} logged in`,
      host: canary,
      user: canary,
      action: canary,
      process: { name: canary, executable: `/bin/${canary}` },
      [canary]: canary,
    },
  );
  // The intake refuses callers restricted to sites.
  if (sent.status === 403) return undefined;
  if (sent.status >= 300) throw new Error(`the intake answered ${sent.status} ${sent.body}`);
  const deadline = clock.deadline(20_000);
  for (;;) {
    const { items } = await asAdmin("GET", `/siem/logs?query=${canary}`);
    if (items.length > 0) return items[0].id;
    if (deadline.aborted) throw new Error("the logs cannot be found");
    await clock.sleep(100);
  }
}

/** An administrator of all sites creates records without a site through the routes; this assigns them to one. */
async function placeAtSite({ query }: CallersPlatform, site: string, world: World): Promise<void> {
  const [id1, id2] = [world.alerts ?? "", world.linked ?? ""];
  await query("UPDATE alerts SET site = $1 WHERE id IN ($2, $3)", [site, id1, id2]);
  await query("UPDATE edr_endpoints SET site = $1 WHERE id = $2", [site, world.endpoints ?? ""]);
  const columns = await query("SELECT table_name AS name, column_name AS field FROM information_schema.columns");
  const has = (table: string, column: string) =>
    columns.some(({ name, field }: { name: string; field: string }) => name === table && field === column);
  if (has("cases", "sites")) {
    const cases = [world.cases ?? "", world.spare ?? ""];
    await query("UPDATE cases SET sites = ARRAY[$1] WHERE id IN ($2, $3)", [site, ...cases]);
  }
  for (const [table, noun, key] of [
    ["executions", "executions", "execution_id"],
    ["approvals", "approvals", "id"],
  ] as const) {
    if (has(table, "site")) await query(`UPDATE ${table} SET site = $1 WHERE ${key} = $2`, [site, world[noun] ?? ""]);
  }
}

/** Every route with the ids of a world in its path, and those of a possibly different one in query and body. */
function listRequests({ app }: CallersPlatform, world: World, named: World = world): SiteRequest[] {
  return app.registeredRoutes
    .filter(({ method, path }) => method !== "HEAD" && path.startsWith("/api/v1/") && !OWN_ACCESS.test(path))
    .map(({ method, path }) => {
      const documented = path.replace("/api/v1", "").replaceAll(/:([a-z_]+)/g, "{$1}");
      const route = `${method} ${documented}`;
      return {
        route,
        path: `/api/v1${pathIn(documented, world)}${QUERIES[route]?.(named) ?? ""}`,
        payload: BODIES[route]?.(named),
      };
    });
}

const send = ({ ask }: CallersPlatform, { headers }: LimitedCaller, { route, path, payload }: SiteRequest) =>
  ask(route.split(" ")[0] ?? "", path, headers, payload);

/** On a busy machine some responses are partial. */
async function sendUntilWhole(platform: CallersPlatform, caller: LimitedCaller, asked: SiteRequest) {
  for (let left = MAX_REPEATS; ; left -= 1) {
    const answer = await send(platform, caller, asked);
    if (left === 0 || !answer.body.includes('"is_partial":true')) return answer;
    await clock.sleep(200);
  }
}

/** What each caller reads with the ids of their own site, without times. */
async function readAll(platform: CallersPlatform, callers: readonly LimitedCaller[], own: FilledSite) {
  const answers = new Map<string, string>();
  for (const caller of callers) {
    for (const asked of listRequests(platform, own.world).filter(({ route }) => route.startsWith("GET "))) {
      const { status, body } = await sendUntilWhole(platform, caller, asked);
      answers.set(`${asked.route} by ${caller.name}`, `${status} ${maskTimes(body)}`);
    }
  }
  return answers;
}

function maskTimes(body: string): string {
  return body
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, "TIME")
    .replaceAll(/"(took_ms|uptime_s|remaining|reset_s)":\d+/g, '"$1":0');
}

/** Checks that the records of the other site do not change what the callers read. */
export async function findInterference(platform: CallersPlatform, { callers, own, before }: TwoSites) {
  const after = await readAll(platform, callers, own);
  return [...after]
    .filter(([asked, answer]) => before.get(asked) !== answer)
    .map(([asked, answer]) => `${asked}: ${before.get(asked)?.slice(0, 300)} became ${answer.slice(0, 300)}`);
}

/** Calls every route with the ids of the other site, and returns each response that shows or changes something. */
export async function findLeaks(platform: CallersPlatform, sites: TwoSites): Promise<string[]> {
  const wrong: string[] = [];
  for (const caller of sites.callers) {
    wrong.push(...(await compareWithUnknown(platform, caller, sites)));
    wrong.push(...(await mixIds(platform, caller, sites)));
    wrong.push(...(await probe(platform, caller, sites)));
  }
  return wrong;
}

/** An id of the other site is answered like an unknown id. */
async function compareWithUnknown(platform: CallersPlatform, caller: LimitedCaller, { other }: TwoSites) {
  const nothing = Object.fromEntries(Object.keys(other.world).map((noun, at) => [noun, NOTHING + (10 + at)]));
  const unknown = new Map(listRequests(platform, nothing).map((asked) => [asked.route, asked]));
  const wrong: string[] = [];
  for (const asked of listRequests(platform, other.world)) {
    const { status, body } = await send(platform, caller, asked);
    wrong.push(...findSecrets(caller, asked, body, other));
    const blind = unknown.get(asked.route);
    if (!isAboutRecord(asked.route) || !blind) continue;
    const expected = await send(platform, caller, blind);
    if (status !== expected.status || hideIds(body, other.world) !== hideIds(expected.body, nothing))
      wrong.push(`${asked.route} as ${caller.name}: ${status} ${body.slice(0, 200)}, and unknown ${expected.status}`);
  }
  return wrong;
}

/** Combines records of the own site with ids of the other one. */
async function mixIds(platform: CallersPlatform, caller: LimitedCaller, { own, other }: TwoSites) {
  const wrong: string[] = [];
  const mixed = listRequests(platform, own.world, other.world).filter(({ payload }) => payload);
  for (const asked of mixed) {
    const { body } = await send(platform, caller, asked);
    wrong.push(...findSecrets(caller, asked, body, other));
  }
  return wrong;
}

/** A word of the other site finds nothing. */
async function probe(platform: CallersPlatform, caller: LimitedCaller, { other }: TwoSites) {
  const wrong: string[] = [];
  for (const path of PROBES) {
    const asked = { route: `GET ${path}`, path: `/api/v1${path}${other.canary}`, payload: undefined };
    const { body } = await send(platform, caller, asked);
    wrong.push(...findSecrets(caller, asked, body, other));
    if (/"(total|count)":[1-9]/.test(body)) wrong.push(`${path} as ${caller.name} counts: ${body.slice(0, 200)}`);
  }
  return wrong;
}

/** Finds what the body shows of the other site beyond the contents of the request. */
function findSecrets(
  caller: LimitedCaller,
  { route, path, payload }: SiteRequest,
  body: string,
  other: FilledSite,
): string[] {
  const said = path + JSON.stringify(payload ?? {});
  const secrets = [other.canary, other.id, ...Object.values(other.world).filter((id) => UUID.test(id))];
  const shown = secrets.filter((secret) => body.includes(secret) && !said.includes(secret));
  return shown.map((secret) => `${route} as ${caller.name} shows ${secret}`);
}

function isAboutRecord(route: string): boolean {
  const [, noun = ""] = /\/([a-z-]+)\/\{/.exec(route) ?? [];
  return OF_SITES.includes(noun);
}

function hideIds(body: string, world: World): string {
  return Object.values(world)
    .filter((id) => UUID.test(id))
    .reduce((text, id) => text.replaceAll(id, "ID"), body);
}

/** The digest of the records of a site. */
export async function digestSite({ query }: CallersPlatform, { name }: FilledSite): Promise<string> {
  const [row] = await query(
    `SELECT md5(string_agg(row_text, ',' ORDER BY row_text)) AS digest FROM (
       SELECT alerts::text AS row_text FROM alerts WHERE site = $1
       UNION ALL SELECT edr_endpoints::text FROM edr_endpoints WHERE site = $1
       UNION ALL SELECT case_timeline::text FROM case_timeline JOIN cases ON cases.id = case_id WHERE cases.title LIKE '%' || $1 || '%'
     ) AS records`,
    [name],
  );
  return row?.digest ?? "";
}

/**
 * Requests of restricted callers then use the tables themselves, where row-level security hides the same records as the
 * views.
 */
export async function removeViews({ query }: CallersPlatform): Promise<void> {
  await query("DROP SCHEMA IF EXISTS soc_site CASCADE");
}

/** Disables row-level security, and grants the role of restricted requests every table. */
export async function removeSecondWall(platform: CallersPlatform): Promise<void> {
  const { query } = platform;
  await removeViews(platform);
  const tables = await query("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()");
  for (const { tablename } of tables) {
    await query(`ALTER TABLE ${tablename} DISABLE ROW LEVEL SECURITY`);
    await query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${tablename} TO soc_site`);
  }
}

/** Counts the routes that answered a caller of the site about its own records. */
export function countOpenRoutes({ before }: TwoSites): number {
  return [...before.values()].filter((answer) => answer.startsWith("200 ")).length;
}

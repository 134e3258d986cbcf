import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/harness/callers-platform.ts";
import { ADMIN_PASSWORD as password } from "../../../testing/harness/whole-platform.ts";

type Headers = Record<string, string>;

const UNKNOWN = "01980000-0000-7000-8000-00000000dead";
/** In every text of the logs of Beta and of those without a site, and nowhere else. */
const CANARY = /zq7canary|203\.0\.113\.|attr_zq7/i;
const TEXTS = ["host", "user", "process", "message", "source", "event_code", "action", "outcome"] as const;
const COUNTED = TEXTS.filter((name) => name !== "message");
const FIELDS = [...COUNTED, "site", "src_ip", "dst_ip", "src_port", "severity"];
const PREFIXES = process.env.PROVE === "full" ? ["", "z", "zq7canary", "203.", "B", "4"] : ["", "zq7canary"];
const PROCESS = { Image: "a.exe", ProcessId: 300, ParentProcessId: 200 };

let platform: CallersPlatform;
let idsOfAlpha: string[];
let idsOfOthers: string[];
let callers: Record<"user" | "session" | "key", Headers>;

const asAlpha = (n: number) => ({
  ...Object.fromEntries(TEXTS.map((name) => [name, `alpha-${name}-${n}`])),
  ...{ site: "Alpha", host: "alpha-host", severity: "low", src_ip: "192.0.2.1", client: { word: "alpha-word" } },
  ...PROCESS,
});
const asOther = (site: string, n: number) => ({
  ...Object.fromEntries(TEXTS.map((name) => [name, `zq7canary-${name}-${n}`])),
  ...{ ...(site && { site }), severity: "critical", src_ip: `203.0.113.${n}`, dst_ip: "203.0.113.99", src_port: 4711 },
  attr_zq7: { deep: `zq7canary-attribute-${n}` },
  ...{ ...PROCESS, Image: "zq7canary.exe", ProcessId: 900 + n },
});

async function ingest(events: readonly object[]): Promise<void> {
  expect(await platform.asAdmin("POST", "/siem/ingest", events)).toMatchObject({ rejected: 0 });
}

beforeAll(async () => {
  platform = await startCallersPlatform();
  for (const name of ["Alpha", "Beta"]) {
    await platform.asAdmin("POST", "/sites", { name, profile: { asset_classes: ["it"] } });
  }
  await ingest([1, 2, 3].map(asAlpha));
  // Also on the host of Alpha, so that neither the surroundings of a log nor its process tree may show them.
  await ingest([
    ...[1, 2, 3, 4].map((n) => asOther("Beta", n)),
    ...[5, 6].map((n) => asOther("", n)),
    { ...asOther("alpha", 7), host: "alpha-host" },
    { ...asOther("Beta", 8), host: "alpha-host" },
  ]);
  const { items } = await platform.asAdmin("GET", "/siem/logs?limit=100");
  const find = (isWanted: boolean) =>
    items.filter(({ site }: { site: string }) => (site === "Alpha") === isWanted).map(({ id }: { id: string }) => id);
  [idsOfAlpha, idsOfOthers] = [find(true), find(false)];
  expect([idsOfAlpha.length, idsOfOthers.length]).toEqual([3, 8]);
  await platform.asAdmin("POST", "/users", { username: "of-alpha", password, role: "tier3", sites: ["Alpha"] });
  const { token, sessionId } = await platform.signIn("of-alpha");
  const made = await platform.asAdmin("POST", "/api-keys", { name: "alpha", scopes: ["siem:read"], sites: ["Alpha"] });
  callers = {
    user: { authorization: `Bearer ${token}` },
    session: { cookie: `__Host-soc_session=${sessionId}` },
    key: { "x-api-key": made.key },
  };
});

afterAll(() => platform.close());

const ask = (headers: Headers, method: string, path: string, body: object = {}) =>
  platform.ask(method, `/api/v1/siem${path}`, headers, body);

async function read(headers: Headers, path: string, body?: object) {
  const { status, body: text, headers: got } = await ask(headers, body ? "POST" : "GET", path, body);
  expect([path, status, text.slice(0, 500)]).toEqual([path, 200, expect.anything()]);
  expect(text, path).not.toMatch(CANARY);
  for (const id of idsOfOthers) expect(text, path).not.toContain(id);
  return { got, text, json: () => JSON.parse(text) };
}

const names = ["user", "session", "key"] as const;

describe.each(names)("a %s with one site", (name) => {
  it("finds and counts only the logs of this site", async () => {
    for (const query of ["", "?limit=1", "?query=*", "?query=src_port:*%20OR%20host:*", "?query=NOT%20site:x"]) {
      expect((await read(callers[name], `/logs${query}`)).json().total, query).toBe(3);
    }
    for (const query of ["site:Beta", "zq7canary*", "host:zq7canary-host-1", "src_port:4711", `id:${idsOfOthers[0]}`]) {
      const found = (await read(callers[name], `/logs?query=${encodeURIComponent(query)}`)).json();
      expect(found, query).toMatchObject({ total: 0, items: [], next_cursor: null });
    }
    const first = (await read(callers[name], "/logs?limit=2")).json();
    const rest = (await read(callers[name], `/logs?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).json();
    expect(rest).toMatchObject({ total: 3, items: { length: 1 }, next_cursor: null });
  });

  it("answers another site's log like a missing one", async () => {
    const refuse = async (id: string, path = "") => {
      const { status, body } = await ask(callers[name], "GET", `/logs/${id}${path}`);
      return [status, body.replaceAll(id, "ID")];
    };
    const unknown = [404, JSON.stringify({ detail: "log 'ID' does not exist" })];
    for (const id of [UNKNOWN, ...idsOfOthers]) {
      expect(await refuse(id)).toEqual(unknown);
      expect(await refuse(id, "/around")).toEqual(unknown);
    }
    const [own = ""] = idsOfAlpha;
    expect((await read(callers[name], `/logs/${own}`)).json()).toMatchObject({ id: own, site: "Alpha" });
    const { before, after } = (await read(callers[name], `/logs/${own}/around?same=source`)).json();
    expect([...before, ...after]).toEqual([]);
    const near = (await read(callers[name], `/logs/${own}/around?same=host`)).json();
    expect(near.before.length + near.after.length).toBe(2);
    const asked = await ask(callers[name], "POST", "/logs/get", { ids: [own, UNKNOWN, ...idsOfOthers] });
    const { items, missing } = JSON.parse(asked.body);
    expect([items.map(({ id }: { id: string }) => id), missing]).toEqual([[own], [UNKNOWN, ...idsOfOthers]]);
    expect(JSON.stringify(items)).not.toMatch(CANARY);
  });

  it("exports the logs of this site", async () => {
    for (const format of ["ndjson", "csv"]) {
      const { got, text } = await read(callers[name], `/logs/export?format=${format}&limit=3`);
      expect([got["x-is-complete"], text.trim().split("\n").length]).toEqual(["true", format === "csv" ? 4 : 3]);
    }
  });

  it("summarises the logs of this site", async () => {
    for (const by of ["severity", "source", "host", "site"]) {
      const { total, buckets } = (await read(callers[name], `/logs/histogram?by=${by}`)).json();
      expect([total, buckets.reduce((sum: number, each: { total: number }) => sum + each.total, 0)]).toEqual([3, 3]);
    }
    const { total, facets } = (await read(callers[name], `/logs/facets?fields=${FIELDS.join()}`)).json();
    expect(total).toBe(3);
    for (const { field, distinct, missing, other } of facets) {
      expect(distinct, field).toBeLessThanOrEqual(3);
      expect([missing % 3, other], field).toEqual([0, 0]);
    }
    const named = await ask(callers[name], "GET", "/logs/facets?fields=attributes.attr_zq7.deep");
    expect(JSON.parse(named.body).facets).toMatchObject([{ values: [], distinct: 0, missing: 3, other: 0 }]);
    const metrics = ["count", "distinct:host", "max:src_port", "max:timestamp"];
    const { rows } = (await read(callers[name], "/aggregate", { group_by: ["site"], metrics })).json();
    expect(rows).toMatchObject([{ group: { site: "Alpha" }, metrics: { count: 3, "distinct:host": 1 } }]);
    const whole = (await read(callers[name], "/aggregate", { metrics: ["count"] })).json();
    expect(whole.rows).toMatchObject([{ metrics: { count: 3 } }]);
  });

  it("returns the fields and values of the caller's site", async () => {
    const { items, sampled } = (await read(callers[name], "/fields?limit=500")).json();
    expect(sampled).toBe(3);
    expect(items.map((item: { name: string }) => item.name)).toContain("attributes.client.word");
    for (const field of [...FIELDS, "attributes.Image"]) {
      for (const prefix of PREFIXES) {
        const { values } = (await read(callers[name], `/fields/${field}/values?prefix=${prefix}`)).json();
        for (const { count } of values) expect(count, field).toBeLessThanOrEqual(3);
        if (prefix.length > 1) expect(values, field).toEqual([]);
      }
    }
    expect((await read(callers[name], "/query/validate", { query: "site:Beta" })).json().valid).toBe(true);
    await read(callers[name], "/query/completion");
  });

  it("refuses counts over all sites, and lets the caller cancel only its own searches", async () => {
    for (const path of ["/stats", "/sources", "/dead-letters", "/hunts", "/drops"]) {
      expect([path, (await ask(callers[name], "GET", path)).status]).toEqual([path, 403]);
    }
    const mine = ask(callers[name], "DELETE", "/searches/mine");
    expect(await mine).toMatchObject({ status: 200, body: JSON.stringify({ search_id: "mine", cancelled: 0 }) });
  });
});

it("builds the process tree of a host from the logs of the caller's sites", async () => {
  const tree = (await read(callers.key, "/process-tree?host=alpha-host")).json();
  expect(tree.nodes.map(({ name }: { name: string }) => name).filter(Boolean)).toEqual(["a.exe"]);
  const { body } = await ask(callers.key, "GET", "/process-tree?host=zq7canary-host-1");
  expect(JSON.parse(body)).toMatchObject({ nodes: [], edges: [], is_partial: false });
});

it("does not promote a log of another site, and refuses a rule", async () => {
  const promote = async (id: string, body: object) => {
    const answer = await ask(callers.user, "POST", `/logs/${id}/promote`, body);
    return [answer.status, JSON.parse(answer.body).detail.replaceAll(id, "ID")];
  };
  for (const id of [UNKNOWN, ...idsOfOthers]) expect(await promote(id, {})).toEqual([404, "log 'ID' does not exist"]);
  const refused = [403, "rule_id: requires access to all sites"];
  expect(await promote(idsOfAlpha[0] ?? "", { rule_id: UNKNOWN })).toEqual(refused);
  expect(await platform.query("SELECT id FROM alerts WHERE log_ids::text LIKE '%-%'")).toEqual([]);
});

it("tails new logs of the caller's current sites", { timeout: 60_000 }, async () => {
  const { port } = platform.app.server.address() as AddressInfo;
  const stopping = new AbortController();
  const url = `http://127.0.0.1:${port}/api/v1/siem/logs/tail`;
  async function follow(headers: Headers) {
    const received = { text: "" };
    const answer = await fetch(url, { headers, signal: stopping.signal });
    expect(answer.status).toBe(200);
    const reading = (async () => {
      for await (const part of answer.body ?? []) received.text += Buffer.from(part).toString();
    })();
    reading.catch(() => undefined);
    return received;
  }
  // The restricted follower starts the loop that also reads for the other one.
  const limited = await follow(callers.user);
  const { token } = await platform.signIn("admin");
  const whole = await follow({ authorization: `Bearer ${token}` });
  await ingest([asOther("Beta", 21), asAlpha(22), asOther("", 23)]);
  await expect.poll(() => whole.text, { timeout: 20_000 }).toMatch(/zq7canary-message-23/);
  await expect.poll(() => limited.text, { timeout: 20_000 }).toMatch(/alpha-message-22/);
  expect(limited.text).not.toMatch(CANARY);
  await platform.asAdmin("PATCH", "/users/of-alpha", { sites: ["Beta"] });
  await ingest([asAlpha(24), asOther("", 25)]);
  await expect.poll(() => whole.text, { timeout: 20_000 }).toMatch(/zq7canary-message-25/);
  expect(limited.text).not.toMatch(/alpha-message-24|zq7canary-message-25/);
  stopping.abort();
});

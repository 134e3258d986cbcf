import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { toLogBody } from "../search/log-body.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN_ID = "0197f000-0000-7000-8000-00000000dead";
const HUNT = {
  title: "Wrong passwords of root",
  description: "Who tries?",
  query: "failed user:root",
  source: "sshd",
  severity: "high",
  host: "srv-7",
  sharing_mode: "roles",
  shared_with_roles: ["tier3", "responder"],
  tags: ["ssh"],
};

let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let app: Awaited<ReturnType<typeof siemApp>>;

beforeAll(async () => {
  platform = await testPlatform("real");
  logs = await startLogStore();
  app = await siemApp(platform, { logStore: logs.store });
});

afterAll(async () => {
  await logs.stop();
  await platform.close();
});

type RequestOptions = {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  path?: string;
  payload?: object;
  ifMatch?: string;
};

async function ask(role: string, { method = "GET", path = "", payload, ifMatch }: RequestOptions = {}) {
  const answered = await app.inject({
    method,
    url: `/api/v1/siem/hunts${path}`,
    headers: { "x-role": role, ...(ifMatch !== undefined && { "if-match": ifMatch }) },
    ...(payload && { payload }),
  });
  return { status: answered.statusCode, body: answered.json(), etag: String(answered.headers.etag) };
}
const create = (role: string, payload: object) => ask(role, { method: "POST", payload });
const patch = (role: string, id: string, payload: object) => ask(role, { method: "PATCH", path: `/${id}`, payload });
const remove = (role: string, id: string) => ask(role, { method: "DELETE", path: `/${id}` });
const run = (role: string, id: string, query = "") =>
  ask(role, { method: "POST", path: `/${id}/run${query}`, payload: {} });
const listed = async (role: string): Promise<string[]> =>
  (await ask(role, { path: "?limit=200" })).body.items.map(({ id }: { id: string }) => id);

describe("hunts", () => {
  it("stores a hunt with all fields, with the audit entry and the event in the same transaction", async () => {
    const { status, body, etag } = await create("tier2", { ...HUNT, id: "mine", unknown: true });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...HUNT,
      id: expect.stringMatching(UUID),
      created_by: "tier2",
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(etag).toBe(`"${body.updated_at}"`);
    const { body: page } = await ask("tier2");
    expect(page).toEqual({ items: [body], total: 1, skip: 0, limit: 50, next_cursor: null });
    const audited = await platform.db.selectFrom("audit_log").selectAll().where("subject_id", "=", body.id).execute();
    expect(audited).toMatchObject([{ actor: "tier2", action: "hunt.created", subject_type: "hunt" }]);
    const events = await platform.db.selectFrom("outbox").selectAll().where("subject_id", "=", body.id).execute();
    expect(events).toMatchObject([{ type: "hunt.created" }]);
    // Every user who may read hunts receives this event, even without access to this hunt.
    expect(JSON.stringify(events[0]?.data)).not.toContain(HUNT.title);
  });

  it("requires only a title, and is private and matches everything by default", async () => {
    const { status, body } = await create("tier2", { title: "All" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: "All",
      description: "",
      query: "",
      source: null,
      severity: null,
      host: null,
      sharing_mode: "private",
      shared_with_roles: [],
      tags: [],
    });
  });

  it.each(["private", "team"])(
    "stores the roles of a hunt that is shared as %s, but grants them nothing",
    async (sharing_mode) => {
      const { status, body } = await create("tier2", { title: "X", sharing_mode, shared_with_roles: ["tier1"] });
      expect([status, body.shared_with_roles]).toEqual([201, ["tier1"]]);
      expect((await listed("tier1")).includes(body.id)).toBe(sharing_mode === "team");
    },
  );

  it.each([
    [{}, /^title: is required$/],
    [{ title: "" }, /^title: must be a text of 1 to 200 characters$/],
    [{ title: "a\u0000b" }, /^title: contains a character that cannot be stored$/],
    [{ title: "X", query: "user:(root" }, /^query: a parenthesis is not closed, at character 6$/],
    [{ title: "X", query: "nofield:1" }, /^query: there is no field 'nofield' .*, at character 1$/],
    [{ title: "X", severity: "grave" }, /^severity: must be one of critical, high, /],
    [{ title: "X", sharing_mode: "world" }, /^sharing_mode: must be one of private, team, roles$/],
    [{ title: "X", sharing_mode: "roles" }, /^shared_with_roles: must name a role if sharing_mode is roles$/],
    [
      { title: "X", sharing_mode: "roles", shared_with_roles: ["boss"] },
      /^shared_with_roles.0: must be one of admin, /,
    ],
    [{ title: "X", tags: [""] }, /^tags.0: must be a text of 1 to 100 characters$/],
    [{ title: "X", tags: Array.from({ length: 51 }, String) }, /^tags: must be a list of /],
  ])("refuses %j and names the field", async (payload, why) => {
    const { status, body } = await create("tier2", payload);
    expect(status).toBe(400);
    expect(body.detail).toMatch(why);
  });

  it("shows a hunt to the users it is shared with and answers 404 to others", async () => {
    const made = async (sharing: object) => (await create("tier2", { title: "X", ...sharing })).body.id;
    const hunts = {
      private: await made({}),
      team: await made({ sharing_mode: "team" }),
      roles: await made({ sharing_mode: "roles", shared_with_roles: ["tier3"] }),
    };
    const seers = {
      private: ["tier2", "admin"],
      team: ["tier2", "admin", "tier3", "responder", "manager"],
      roles: ["tier2", "admin", "tier3"],
    };
    for (const [sharing, id] of Object.entries(hunts)) {
      for (const role of ["tier2", "admin", "tier3", "responder", "manager"]) {
        const isSeen = Object.entries(seers).some(([name, roles]) => name === sharing && roles.includes(role));
        expect((await listed(role)).includes(id), `${role} lists ${sharing}`).toBe(isSeen);
        const ran = await run(role, id);
        expect(ran.status, `${role} runs ${sharing}`).toBe(isSeen ? 200 : 404);
        if (isSeen) continue;
        const unknown = { detail: `hunt '${id}' does not exist` };
        expect(ran.body).toEqual(unknown);
        expect(await patch(role, id, { title: "Y" })).toMatchObject({ status: 404, body: unknown });
        expect(await remove(role, id)).toMatchObject({ status: 404, body: unknown });
      }
    }
    for (const id of [UNKNOWN_ID, "nope"]) expect((await run("admin", id)).status).toBe(404);
    expect((await ask("auditor")).body.items.map(({ id }: { id: string }) => id)).toContain(hunts.team);
  });

  it("lets users with access change a hunt, and only its author or an administrator share or delete it", async () => {
    const { body: hunt } = await create("tier2", { ...HUNT, sharing_mode: "team", shared_with_roles: [] });
    const changed = await patch("tier3", hunt.id, { query: "failed user:(root OR admin)", host: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...hunt,
      query: "failed user:(root OR admin)",
      host: null,
      updated_at: expect.any(String),
    });
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(hunt.updated_at));
    const refused = await patch("tier3", hunt.id, { sharing_mode: "private" });
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/^sharing_mode: only 'tier2'/) },
    });
    expect((await remove("tier3", hunt.id)).status).toBe(403);
    const narrowed = await patch("admin", hunt.id, { sharing_mode: "roles", shared_with_roles: ["manager"] });
    expect(narrowed.body).toMatchObject({ sharing_mode: "roles", shared_with_roles: ["manager"] });
    expect((await run("tier3", hunt.id)).status).toBe(404);
    expect((await patch("tier2", hunt.id, { sharing_mode: "team" })).body.shared_with_roles).toEqual(["manager"]);
    expect((await remove("tier2", hunt.id)).body).toEqual({ deleted: true, id: hunt.id });
    expect((await remove("tier2", hunt.id)).status).toBe(404);
  });

  it("refuses an empty change, a wrong query and an outdated version", async () => {
    const { body: hunt, etag } = await create("tier2", { title: "Mine" });
    expect(await patch("tier2", hunt.id, {})).toMatchObject({
      status: 400,
      body: { detail: "body: must have a field of a hunt" },
    });
    const mistaken = await patch("tier2", hunt.id, { query: "user:" });
    expect(mistaken).toMatchObject({ status: 400, body: { detail: "query: a value is missing, at character 6" } });
    const change = (title: string) =>
      ask("tier2", { method: "PATCH", path: `/${hunt.id}`, payload: { title }, ifMatch: etag });
    const changes = await Promise.all([change("A"), change("B"), change("C")]);
    expect(changes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(changes.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  it.each(["tier1", "auditor"])("does not let %s write or run a hunt", async (role) => {
    const { body: hunt } = await create("tier2", { title: "X", sharing_mode: "team" });
    expect(await listed(role)).toContain(hunt.id);
    expect((await create(role, { title: "X" })).status).toBe(403);
    expect((await patch(role, hunt.id, { title: "Y" })).status).toBe(403);
    expect((await remove(role, hunt.id)).status).toBe(403);
    expect((await run(role, hunt.id)).status).toBe(403);
  });

  it("pages by a stable cursor and shows only visible hunts", async () => {
    for (let number = 0; number < 6; number += 1) {
      await create("responder", { title: `R${number}` });
      await create("detection", { title: `D${number}` });
    }
    const titles = (body: { items: { title: string; created_by: string }[] }) =>
      body.items.filter(({ created_by }) => created_by === "detection").map(({ title }) => title);
    const first = (await ask("detection", { path: "?limit=4" })).body;
    await create("detection", { title: "D6" });
    const second = (await ask("detection", { path: `?cursor=${first.next_cursor}` })).body;
    expect([...titles(first), ...titles(second)]).toEqual(["D5", "D4", "D3", "D2", "D1", "D0"]);
    expect(JSON.stringify([first, second])).not.toContain('"R1"');
    expect((await ask("detection", { path: "?limit=201" })).status).toBe(400);
  });
});

describe("running a hunt", () => {
  it("returns the hunt, the number of matching logs and the newest of them", async () => {
    const now = platform.clock.now().getTime();
    const found = Array.from({ length: 60 }, (_, number) =>
      sampleLog({
        id: `run-${number}`,
        timestamp: new Date(now - number * 1000).toISOString(),
        source: "sshd",
        host: "SRV-7",
        severity: "high",
        user: "root",
        message: "Failed password",
      }),
    );
    const others = [
      { source: "nginx" },
      { host: "srv-8" },
      { severity: "low" as const },
      { user: "omar" },
      { timestamp: new Date(now - 25 * 3_600_000).toISOString() },
    ].map((other, number) => sampleLog({ ...found[0], id: `other-${number}`, ...other }));
    await logs.store.insert([...found, ...others], { token: "run" });
    const { body: hunt } = await create("tier2", HUNT);
    const { status, body } = await run("tier3", hunt.id);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["hunt", "total", "logs"]);
    expect(body.hunt).toEqual(hunt);
    expect(body.total).toBe(60);
    expect(body.logs).toEqual(found.slice(0, 50).map(toLogBody));
    const wide = `?limit=200&from=${new Date(now - 48 * 3_600_000).toISOString()}`;
    expect((await run("tier3", hunt.id, wide)).body.total).toBe(61);
    expect((await run("tier3", hunt.id, "?limit=201")).body.detail).toMatch(/^limit: /);
  });

  it('evaluates the relative time "now" on each run', async () => {
    const { body: hunt } = await create("tier2", { title: "Just now", query: "timestamp:>=now-2s", source: "moment" });
    const log = sampleLog({ id: "moment", timestamp: platform.clock.now().toISOString(), source: "moment" });
    await logs.store.insert([log], { token: "moment" });
    expect((await run("tier2", hunt.id)).body.total).toBe(1);
    await platform.clock.sleep(2500);
    expect((await run("tier2", hunt.id)).body.total).toBe(0);
  });
});

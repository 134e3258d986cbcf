import { silentLog } from "@kit/log/silent";
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryAdapter } from "../../../testing/fixtures/response-actions.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createMemoryGate } from "../../../testing/harness/response-gate.ts";
import { createResponseParts, type ResponseParts } from "../../../testing/harness/response-parts.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { LOCAL_YAML } from "../../foundation/yaml/local-yaml.ts";
import { playbooksRoutes } from "./playbooks.routes.ts";
import { createPlaybooksService } from "./playbooks.service.ts";
import { createPlaybooksStore, createShowcasePlaybooksStore } from "./playbooks.store.ts";
import { createPlaybooksWorker } from "./playbooks.worker.ts";

const PAUSE = { id: "pause", action: "wait", params: { seconds: 5 } };
const MINE = { name: "Mine", steps: [PAUSE] };
const YAML = "id: mine\nname: Mine\nsteps:\n  - id: pause\n    action: wait\n    params: { seconds: 5 }\n";

let platform: TestPlatform;
let parts: ResponseParts;

async function start(mode: Mode, database: "fresh" | "none" = "fresh") {
  platform = await testPlatform(mode, database);
  const { db, runtime, clock, ids, changes } = platform;
  parts = createResponseParts(
    platform,
    createMemoryAdapter(),
    createMemoryGate(() => ids.next()),
  );
  const playbooks = createPlaybooksService({
    runtime,
    stores: { database: createPlaybooksStore(db), showcase: createShowcasePlaybooksStore(parts.showcase) },
    actions: parts.actions,
    yaml: LOCAL_YAML,
    alerts: parts.alerts,
    audit: parts.audit,
    clock,
    ids,
  });
  return featureApp(platform, playbooksRoutes(playbooks, changes));
}
type App = Awaited<ReturnType<typeof start>>;

const put = (app: App, id: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: "PUT", url: `/api/v1/soar/playbooks/${id}`, payload, headers });
const post = (app: App, path: string, payload?: object) =>
  app.inject({ method: "POST", url: `/api/v1/soar/playbooks/${path}`, ...(payload && { payload }) });

async function seed() {
  const builtIns = await parts.builtIns();
  await platform.db.transaction().execute((tx) => parts.playbooks.seed(tx, builtIns));
  return builtIns;
}

afterEach(() => platform.close());

describe("playbooks API", () => {
  it("lists the playbooks whose requirements an alert meets", async () => {
    const app = await start("real");
    await seed();
    const report = { title: "Many failed sign-ins", source: "idp", severity: "high", user: "sara" } as const;
    const by = { kind: "user", username: "sara", role: "tier2" } as const;
    const { alert } = await platform.db.transaction().execute((tx) => parts.alerts.create(tx, by, report));
    const list = (id: string, query = "") => app.inject(`/api/v1/soar/playbooks?for_alert=${id}${query}`);
    const { items, total } = (await list(alert.id)).json();
    // From the files of the playbooks: these need a user or only a title; the others need a host, or nothing of an
    // alert.
    const fitting = ["brute-force", "leaked-credential", "phishing", "suspicious-admin"];
    expect([items.map(({ id }: { id: string }) => id), total]).toEqual([fitting, 4]);
    expect((await list(alert.id, "&limit=1&skip=3")).json().items).toMatchObject([{ id: "suspicious-admin" }]);
    expect((await app.inject(`/api/v1/playbooks?for_alert=${alert.id}`)).json().total).toBe(4);
    const unknown = await list("nope");
    expect([unknown.statusCode, unknown.json().detail]).toEqual([404, "alert 'nope' does not exist"]);
  });

  it("serves the same records under both paths in pages ordered by id", async () => {
    const app = await start("real");
    await seed();
    const soar = (await app.inject("/api/v1/soar/playbooks")).json();
    expect(soar).toMatchObject({ total: 10, skip: 0, limit: 50, next_cursor: null });
    expect((await app.inject("/api/v1/playbooks")).json()).toEqual(soar);
    const first = (await app.inject("/api/v1/playbooks?limit=4")).json();
    const rest = (await app.inject(`/api/v1/playbooks?limit=6&cursor=${first.next_cursor}`)).json();
    expect([...first.items, ...rest.items]).toEqual(soar.items);
    expect(rest.next_cursor).toBeNull();
    const one = (await app.inject("/api/v1/soar/playbooks/ransomware-host")).json();
    expect(one).toMatchObject({ id: "ransomware-host", critical: true, enabled: true, version: 1 });
    expect(one.steps[0]).toEqual({
      id: "isolate",
      name: "Isolate the host",
      action: "edr.isolate",
      params: { endpoint: "{parameters.host}", reason: "Ransomware: {parameters.finding}" },
      when: null,
      timeout_s: 30,
      retries: 3,
      on_error: "stop",
      // A failure never undoes containment.
      compensate: null,
    });
    expect((await app.inject("/api/v1/playbooks?critical=true")).json().total).toBe(5);
    expect((await app.inject("/api/v1/playbooks?limit=201")).statusCode).toBe(400);
    const missing = await app.inject("/api/v1/soar/playbooks/nope");
    expect([missing.statusCode, missing.json()]).toEqual([404, { detail: "playbook 'nope' does not exist" }]);
  });

  it("creates and changes playbooks with versions, as JSON and as YAML", async () => {
    const app = await start("real");
    const created = await put(app, "mine", MINE);
    expect(created.statusCode).toBe(201);
    expect(created.json()).toMatchObject({
      id: "mine",
      version: 1,
      enabled: true,
      critical: false,
      updated_by: "admin",
    });
    const same = await put(app, "mine", { yaml: YAML });
    expect([same.statusCode, same.json().version]).toEqual([200, 1]);
    const changed = await put(app, "mine", { ...MINE, name: "Ours" });
    expect([changed.statusCode, changed.json().version]).toEqual([200, 2]);
    const versions = (await app.inject("/api/v1/soar/playbooks/mine/versions")).json();
    expect(
      versions.items.map(({ version, playbook }: { version: number; playbook: { name: string } }) => [
        version,
        playbook.name,
      ]),
    ).toEqual([
      [2, "Ours"],
      [1, "Mine"],
    ]);
    const stale = await put(app, "mine", MINE, { "if-match": String(created.headers.etag) });
    expect(stale.statusCode).toBe(409);
    const exported = await app.inject("/api/v1/soar/playbooks/mine/yaml");
    expect(exported.headers["content-type"]).toMatch(/^application\/yaml/);
    expect((await put(app, "other", { yaml: exported.body.replace("id: mine", "id: other") })).statusCode).toBe(201);
    const actions = await platform.db
      .selectFrom("audit_log")
      .select("action")
      .where("subject_id", "=", "mine")
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(["playbook.created", "playbook.updated"]);
  });

  it("refuses an invalid playbook with the field and the position", async () => {
    const app = await start("real");
    const refusals: [string, object, string][] = [
      ["mine", {}, "name: is required (and 1 more)"],
      ["mine", { ...MINE, id: "other" }, "id: must be 'mine' or absent"],
      ["Mine", MINE, "id: must be a text of the form ^[a-z][a-z0-9-]{0,79}$"],
      [
        "mine",
        { yaml: YAML.replace("5", "x") },
        "steps.0.params.seconds: must be an integer from 1 to 2592000, at line 6, column 24",
      ],
      ["mine", { yaml: `${YAML}---\n${YAML}` }, "yaml: must be one playbook"],
      ["mine", { ...MINE, yaml: YAML }, "yaml: must be the only field"],
    ];
    for (const [id, payload, detail] of refusals) {
      const refused = await put(app, id, payload);
      expect([refused.statusCode, refused.json()]).toEqual([400, { detail }]);
    }
    const validated = await post(app, "validate", { yaml: YAML.replace("5", "x").replace("Mine", '""') });
    expect(validated.statusCode).toBe(200);
    expect(validated.json()).toMatchObject({ valid: false, problems: [{ field: "name", line: 2, column: 7 }] });
    expect((await post(app, "validate", { yaml: YAML })).json()).toEqual({
      valid: true,
      critical: false,
      steps_total: 1,
      problems: [],
    });
    expect((await app.inject("/api/v1/playbooks")).json().total).toBe(0);
  });

  it("imports all playbooks of a text or none", async () => {
    const app = await start("real");
    const wrong = await post(app, "import", { yaml: `${YAML}---\nid: second\nname: Second\n` });
    expect([wrong.statusCode, wrong.json().detail]).toEqual([400, "steps: is required, at line 8, column 1"]);
    expect((await app.inject("/api/v1/playbooks")).json().total).toBe(0);
    const imported = await post(app, "import", { yaml: `${YAML}---\n${YAML.replace("id: mine", "id: second")}` });
    expect(imported.statusCode).toBe(201);
    expect(imported.json().items).toMatchObject([
      { result: "created", playbook: { id: "mine" } },
      { result: "created", playbook: { id: "second" } },
    ]);
    expect((await post(app, "import", { yaml: YAML })).json().items).toMatchObject([{ result: "unchanged" }]);
  });

  it("toggles a playbook without a new version", async () => {
    const app = await start("real");
    await seed();
    const toggled = await post(app, "phishing/toggle");
    expect([toggled.statusCode, toggled.json().enabled, toggled.json().version]).toEqual([200, false, 1]);
    expect((await post(app, "phishing/toggle")).json().enabled).toBe(true);
    expect((await post(app, "nope/toggle")).statusCode).toBe(404);
  });

  it("installs newer releases of built-in playbooks and does not change edited ones", async () => {
    const app = await start("real");
    const builtIns = await seed();
    await seed();
    expect((await app.inject("/api/v1/soar/playbooks/phishing")).json().version).toBe(1);
    await put(app, "phishing", MINE);
    await post(app, "brute-force/toggle");
    const newer = builtIns.map(({ release, definition }) => ({
      release: release + 1,
      definition: { ...definition, name: `${definition.name} II` },
    }));
    await platform.db.transaction().execute((tx) => parts.playbooks.seed(tx, newer));
    expect((await app.inject("/api/v1/soar/playbooks/phishing")).json()).toMatchObject({ name: "Mine", version: 2 });
    expect((await app.inject("/api/v1/soar/playbooks/brute-force")).json()).toMatchObject({
      name: "Brute force II",
      version: 2,
      enabled: false,
      updated_by: "manara",
    });
  });

  it("installs each built-in playbook once when several processes start concurrently and one retries", async () => {
    const app = await start("real");
    let asked = 0;
    const workers = Array.from({ length: 4 }, () =>
      createPlaybooksWorker({
        db: platform.db,
        playbooks: parts.playbooks,
        builtIns: parts.builtIns,
        isAvailable: async () => {
          asked += 1;
          return asked > 1;
        },
        clock: platform.clock,
        log: silentLog,
      }),
    );
    for (const worker of workers) worker.start();
    await expect.poll(async () => (await app.inject("/api/v1/playbooks")).json().total, { timeout: 10_000 }).toBe(10);
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(5);
    await Promise.all(workers.map((worker) => worker.close()));
    expect((await app.inject("/api/v1/soar/playbooks/phishing/versions")).json().total).toBe(1);
  });

  it("lets every role read playbooks but only some manage them", async () => {
    const app = await start("real");
    await seed();
    const as = (role: string, method: "GET" | "POST", path: string) =>
      app.inject({ method, url: `/api/v1/${path}`, headers: { "x-role": role } });
    expect((await as("auditor", "GET", "soar/playbooks")).statusCode).toBe(200);
    expect((await as("responder", "POST", "soar/playbooks/phishing/toggle")).statusCode).toBe(403);
    expect((await as("manager", "POST", "soar/playbooks/phishing/toggle")).statusCode).toBe(200);
  });

  it("stores nothing in dry_run and changes nothing in dummy mode", async () => {
    const app = await start("dry_run");
    const preview = await put(app, "mine", MINE);
    expect([preview.statusCode, preview.json()]).toMatchObject([
      200,
      { dry_run: true, preview: { id: "mine", version: 1 } },
    ]);
    expect((await app.inject("/api/v1/playbooks")).json().total).toBe(0);
    await platform.close();
    const dummy = await start("dummy", "none");
    expect((await dummy.inject("/api/v1/playbooks")).json().total).toBe(10);
    const refused = await post(dummy, "phishing/toggle");
    expect([refused.statusCode, refused.json()]).toEqual([403, { detail: "Runtime mode 'dummy' blocks this change" }]);
  });
});

import { createClock } from "@kit/clock";
import { type FaultProxy, startFaultProxy } from "@kit/testing/fault-proxy";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startSharedLogStore } from "../../../testing/servers/shared-log-store.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { MODES } from "../../foundation/runtime/runtime.schema.ts";

const clock = createClock();
/** How long a process may report a disconnected database as available. */
const NOTICED_MS = 150;

let logs: Awaited<ReturnType<typeof startSharedLogStore>>;
beforeAll(async () => {
  logs = await startSharedLogStore();
});
afterAll(() => logs.stop());

const CHANGING = ["create_case", "update_case", "generate_report", "execute_playbook", "request_human_approval"];
const READING = [
  "get_alert",
  "get_case",
  "get_device",
  "list_alerts",
  "list_cases",
  "lookup_ioc",
  "search_logs",
  "entity_timeline",
  "process_tree",
  "prevalence",
];

describe.each(MODES)("tools in mode %s", (mode) => {
  let owner: pg.Client;
  let proxy: FaultProxy;
  let platform: Awaited<ReturnType<typeof wholePlatform>>;
  let ask: SendRequest;
  let records: { alert_id: string; case_id: string; device_id: string };
  const shown = buildShowcase(clock.now());

  beforeAll(async () => {
    const { url, port } = await freshDatabase();
    owner = new pg.Client(url);
    await owner.connect();
    const seeding = await wholePlatform("real", url, undefined, logs.logStore);
    const seed = askAs(seeding.app, await signIn(seeding.app));
    const step = { id: "wait", name: "Wait", action: "wait", params: { seconds: 3600 } };
    await seed("PUT", "/soar/playbooks/waits", { name: "Waits", steps: [step] });
    const add = async (path: string, payload: object) => JSON.parse((await seed("POST", path, payload)).body).id;
    // Devices enrol at a separate server.
    await owner.query(
      `INSERT INTO devices (id, name, type, enrolled_at, last_seen) VALUES (gen_random_uuid(), 'pump', 'pump', now(), now())`,
    );
    records = {
      device_id: "pump",
      alert_id: await add("/alerts", { title: "Beacon", source: "sensor" }),
      case_id: await add("/cases", { title: "Beacon" }),
    };
    await seeding.close();
    proxy = await startFaultProxy(port);
    platform = await wholePlatform(mode, url.replace(`:${port}`, `:${proxy.port}`), undefined, logs.logStore);
    ask = askAs(platform.app, await signIn(platform.app));
  });

  afterAll(async () => {
    proxy.heal();
    await platform.close();
    await proxy.close();
    await owner.end();
  });

  const inputs = ({ alert_id, case_id, device_id } = records): Record<string, object> => ({
    create_case: { title: "new" },
    update_case: { case_id, notes: "seen", severity: "low" },
    generate_report: { report_type: "executive" },
    execute_playbook: { playbook_id: "waits", alert_id },
    // No person answers here, so the wait must be short.
    request_human_approval: { action: "Isolate", justification: "seen", budget_ms: 1000 },
    get_alert: { alert_id },
    get_case: { case_id },
    get_device: { device_id },
    list_alerts: {},
    list_cases: {},
    lookup_ioc: { value: "192.0.2.1" },
    search_logs: {},
    entity_timeline: { kind: "host", value: "srv-7" },
    process_tree: { host: "srv-7" },
    prevalence: { field: "host", value: "srv-7" },
  });

  async function call(name: string, given = inputs()) {
    const { status, body } = await ask("POST", `/tools/${name}`, given[name]);
    return { status, envelope: JSON.parse(body) };
  }

  const countStored = async () => {
    const tables = ["cases", "reports", "executions", "approvals", "audit_log"];
    const { rows } = await owner.query(
      `SELECT ${tables.map((name) => `(SELECT count(*) FROM ${name})`).join(" + ")} AS n`,
    );
    return Number(rows[0].n);
  };

  it.each(CHANGING)("blocks, previews or runs %s while the database is available", async (name) => {
    const before = await countStored();
    const { status, envelope } = await call(name);
    expect(status).toBe(200);
    if (mode === "dummy") {
      const error = "Runtime mode 'dummy' blocks this change";
      expect(envelope).toEqual({ status: "error", error_code: "mode_blocked", error });
    } else if (mode === "dry_run") {
      expect(envelope).toMatchObject({ dry_run: true, error_code: null });
    } else {
      const isWaiting = name === "request_human_approval";
      expect(envelope.error_code).toBe(isWaiting ? "budget_exceeded" : null);
      expect(envelope.dry_run ?? false).toBe(false);
    }
    expect((await countStored()) > before).toBe(mode === "real");
  });

  it.each(READING)("reads the database with %s while it is available", async (name) => {
    const { status, envelope } = await call(name);
    expect(status).toBe(200);
    expect(envelope).toMatchObject({ status: "completed", error_code: null });
  });

  it("answers from the showcase or with unavailable while the database is unavailable", async () => {
    expect((await ask("GET", "/users/me")).status).toBe(200);
    proxy.cut();
    await clock.sleep(NOTICED_MS);
    const given = inputs({
      alert_id: shown.alerts[0]?.id ?? "",
      case_id: shown.cases[0]?.id ?? "",
      device_id: shown.cps.devices[0]?.id ?? "",
    });
    const codes = async (names: string[]) =>
      Promise.all(
        names.map(async (name) => [
          name,
          (await call(name, given)).status,
          (await call(name, given)).envelope.error_code,
        ]),
      );
    const expected = (names: string[], code: string | null) => names.map((name) => [name, 200, code]);
    expect(await codes(READING)).toEqual(expected(READING, mode === "dummy" ? null : "unavailable"));
    expect(await codes(CHANGING)).toEqual(expected(CHANGING, mode === "dummy" ? "mode_blocked" : "unavailable"));
    proxy.heal();
    await expect.poll(async () => (await call("search_logs")).envelope.error_code, { timeout: 10_000 }).toBeNull();
  });
});

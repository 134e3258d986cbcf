import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { ProcessTree } from "./processes.schema.ts";

let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let app: Awaited<ReturnType<typeof siemApp>>;

const ask = (query: string) => app.inject({ url: `/api/v1/siem/process-tree?${query}` });
const AT = "host=ws-1&at=2026-11-15T09:00:00Z";

beforeAll(async () => {
  platform = await testPlatform("real");
  logs = await startLogStore();
  app = await siemApp(platform, { logStore: logs.store });
  const started = (n: number, pid: number, parent: number, image: string) =>
    sampleLog({
      id: `start-${n}`,
      timestamp: `2026-11-15T09:00:0${n}.000Z`,
      host: "ws-1",
      user: "ann",
      attributes: { ProcessId: pid, ParentProcessId: parent, Image: image, CommandLine: `${image} /run` },
    });
  const batch = [
    started(1, 200, 100, "winword.exe"),
    started(2, 300, 200, "powershell.exe"),
    started(3, 400, 100, "explorer.exe"),
    sampleLog({ id: "other", host: "ws-1", message: "no process" }),
  ];
  await logs.store.insert(batch, { token: "first" });
});

afterAll(async () => {
  await logs.stop();
  await platform.close();
});

it("returns the processes of a host and who started whom", async () => {
  const { nodes, edges, is_partial }: ProcessTree = (await ask(AT)).json();
  expect(nodes.map(({ id }) => id).toSorted()).toEqual(["100", "200", "300", "400"]);
  expect(edges).toEqual([
    { from: "100", to: "200" },
    { from: "200", to: "300" },
    { from: "100", to: "400" },
  ]);
  expect(is_partial).toBe(false);
  expect(nodes.find(({ id }) => id === "300")).toEqual({
    id: "300",
    parent_id: "200",
    name: "powershell.exe",
    command_line: "powershell.exe /run",
    user: "ann",
    started_at: "2026-11-15T09:00:02.000Z",
    log_id: "start-2",
    alerts: [],
  });
});

it("links each process to the alerts of the host that name the log of its start", async () => {
  const add = async (payload: object) =>
    (await app.inject({ method: "POST", url: "/api/v1/alerts", payload: { source: "edr", ...payload } })).json().id;
  const macro = await add({ title: "Macro", host: "WS-1.corp.example", log_ids: ["start-2", "absent"] });
  await add({ title: "Another host", host: "ws-2", log_ids: ["start-2"] });
  await add({ title: "Another log", host: "ws-1", log_ids: ["other"] });
  const { nodes }: ProcessTree = (await ask(AT)).json();
  expect(nodes.filter(({ alerts }) => alerts.length > 0).map(({ id, alerts }) => [id, alerts])).toEqual([
    ["300", [macro]],
  ]);
});

it("returns the ancestors and descendants of one process, with a decimal or hexadecimal PID", async () => {
  for (const pid of ["300", "0x12C"]) {
    const { nodes }: ProcessTree = (await ask(`${AT}&pid=${pid}`)).json();
    expect(nodes.map(({ id }) => id).toSorted()).toEqual(["100", "200", "300"]);
  }
  expect((await ask(`${AT}&guid=absent`)).json()).toMatchObject({ nodes: [], edges: [] });
});

it("refuses a request without a host, with two processes or with two time ranges", async () => {
  expect((await ask("pid=1")).statusCode).toBe(400);
  expect((await ask(`${AT}&pid=1&guid=x`)).headers["problem-field"]).toBe("guid");
  expect((await ask(`${AT}&from=now-1h`)).headers["problem-field"]).toBe("at");
  expect((await ask("host=ws-1&pid=abc")).statusCode).toBe(400);
});

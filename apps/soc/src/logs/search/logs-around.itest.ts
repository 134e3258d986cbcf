import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const ID = "01980000-0000-7000-8000-000000000001";

let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let app: Awaited<ReturnType<typeof siemApp>>;

beforeAll(async () => {
  platform = await testPlatform("real");
  logs = await startLogStore();
  app = await siemApp(platform, { logStore: logs.store });
  const batch = [
    sampleLog({ id: "d", timestamp: "2026-11-14T03:00:00.000Z", source: "sshd" }),
    sampleLog({ id: "c", timestamp: "2026-11-15T06:00:00.000Z", source: "nginx", host: "web-2" }),
    sampleLog({ id: "b", timestamp: "2026-11-15T09:00:00.000Z", source: "nginx", host: "web-1" }),
    sampleLog({ id: ID, timestamp: "2026-11-15T09:00:00.001Z", source: "sshd", host: "web-1" }),
    sampleLog({ id: "e", timestamp: "2026-11-15T10:00:00.000Z", source: "sshd" }),
  ];
  await logs.store.insert(batch, { token: "first" });
});

afterAll(async () => {
  await logs.stop();
  await platform.close();
});

describe("GET /siem/logs/{log_id}/around", () => {
  const around = (log_id: string, query = "") => app.inject({ url: `/api/v1/siem/logs/${log_id}/around?${query}` });
  const listIds = (logs: LogEvent[]) => logs.map(({ id }) => id);

  it("returns the neighbours of a log in time order", async () => {
    const { log, before, after } = (await around("b")).json();
    expect([log.id, listIds(before), listIds(after)]).toEqual(["b", ["c"], [ID, "e"]]);
    const nearest = (await around("b", "before=0&after=1")).json();
    expect([listIds(nearest.before), listIds(nearest.after)]).toEqual([[], [ID]]);
  });

  it("returns only neighbours with equal fields on request", async () => {
    const { before, after } = (await around("b", "same=source")).json();
    expect([listIds(before), listIds(after)]).toEqual([["c"], []]);
    expect((await around("b", "same=source&same=host")).json().before).toEqual([]);
  });

  it("refuses an unknown log, an unsuitable field and too many logs", async () => {
    expect((await around("nothing")).statusCode).toBe(404);
    expect((await around("b", "same=raw")).statusCode).toBe(400);
    expect((await around("b", "before=201")).statusCode).toBe(400);
  });
});

describe("POST /siem/logs/get", () => {
  const getLogs = (ids: unknown) => app.inject({ method: "POST", url: "/api/v1/siem/logs/get", payload: { ids } });

  it("returns logs of any time in the order of their ids without duplicates, and names missing ones", async () => {
    const { items, missing } = (await getLogs(["d", "absent", ID.toUpperCase(), "b", "d"])).json();
    expect(items.map(({ id }: LogEvent) => id)).toEqual(["d", ID, "b"]);
    expect(missing).toEqual(["absent"]);
  });

  it("refuses an empty list and more than 200 ids", async () => {
    expect((await getLogs([])).statusCode).toBe(400);
    expect((await getLogs(Array.from({ length: 201 }, (_, n) => `${n}`))).statusCode).toBe(400);
  });
});

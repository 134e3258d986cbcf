import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogFieldShown } from "./log-fields.schema.ts";

const WINDOW = "from=2026-11-15T08:00:00Z&to=2026-11-15T10:00:00Z";

let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let app: Awaited<ReturnType<typeof siemApp>>;

const get = async (path: string) => {
  const answered = await app.inject({ url: `/api/v1/siem/${path}` });
  if (answered.statusCode !== 200) throw new Error(answered.body);
  return answered.json();
};
const validate = async (query: unknown) =>
  app.inject({ method: "POST", url: "/api/v1/siem/query/validate", payload: { query } });

beforeAll(async () => {
  platform = await testPlatform("real");
  logs = await startLogStore();
  app = await siemApp(platform, { logStore: logs.store });
  const batch = Array.from({ length: 40 }, (_, n) =>
    sampleLog({
      id: `log-${n}`,
      host: n % 4 === 0 ? "" : `SRV-${n % 4}`,
      user: n < 30 ? "root" : "ann",
      attributes: {
        client: { ip: `192.0.2.${n % 2}` },
        bytes: n,
        elevated: true,
        ...(n % 4 === 0 && { tags: ["web", "edge"] }),
      },
    }),
  );
  await logs.store.insert(batch, { token: "first" });
});

afterAll(async () => {
  await logs.stop();
  await platform.close();
});

describe("GET /siem/fields", () => {
  it("lists the fields and attributes of the logs, with type, share and examples", async () => {
    const { items, sampled, is_partial, has_more } = await get(`fields?${WINDOW}`);
    expect({ sampled, is_partial, has_more }).toEqual({ sampled: 40, is_partial: false, has_more: false });
    const byName = new Map(items.map((item: LogFieldShown) => [item.name, item]));
    expect(byName.get("host")).toEqual({
      ...{ name: "host", type: "text", share: 0.75 },
      examples: expect.arrayContaining(["SRV-1", "SRV-2", "SRV-3"]),
    });
    expect(byName.get("dst_port")).toEqual({ name: "dst_port", type: "port", share: 0, examples: [] });
    expect(byName.get("attributes.client.ip")).toMatchObject({ type: "text", share: 1 });
    expect(byName.get("attributes.bytes")).toMatchObject({ type: "number", share: 1 });
    expect(byName.get("attributes.elevated")).toMatchObject({ type: "boolean", examples: ["true"] });
    expect(byName.get("attributes.tags")).toMatchObject({ type: "list", share: 0.25, examples: ["web", "edge"] });
  });

  it("finds names by a substring, among the logs that match a query", async () => {
    const names = (found: { items: LogFieldShown[] }) => found.items.map(({ name }) => name);
    expect(names(await get(`fields?${WINDOW}&q=IP`))).toEqual(["src_ip", "dst_ip", "attributes.client.ip"]);
    const { items } = await get(`fields?${WINDOW}&q=tags&query=host:*`);
    expect(items).toEqual([]);
    expect(await get(`fields?${WINDOW}&limit=2`)).toMatchObject({ items: { length: 2 }, has_more: true });
  });
});

describe("GET /siem/fields/{name}/values", () => {
  it("completes a value case-insensitively, most frequent first", async () => {
    expect(await get(`fields/user/values?${WINDOW}`)).toMatchObject({
      field: "user",
      values: [
        { value: "root", count: 30 },
        { value: "ann", count: 10 },
      ],
      is_estimate: false,
      is_partial: false,
    });
    expect((await get(`fields/host/values?${WINDOW}&prefix=srv-2`)).values).toEqual([{ value: "SRV-2", count: 10 }]);
    expect((await get(`fields/user/values?${WINDOW}&prefix=a&query=host:*`)).values).toEqual([
      { value: "ann", count: 8 },
    ]);
  });

  it("completes the values of attributes, including those of lists, and accepts no wildcard", async () => {
    expect((await get(`fields/attributes.client.ip/values?${WINDOW}&prefix=192.0.2.1`)).values).toEqual([
      { value: "192.0.2.1", count: 20 },
    ]);
    expect((await get(`fields/attributes.tags/values?${WINDOW}&prefix=e`)).values).toEqual([
      { value: "edge", count: 10 },
    ]);
    expect((await get(`fields/user/values?${WINDOW}&prefix=*`)).values).toEqual([]);
  });

  it("refuses an unknown field", async () => {
    const answered = await app.inject({ url: "/api/v1/siem/fields/nothing/values" });
    expect([answered.statusCode, answered.headers["problem-field"]]).toEqual([400, "name"]);
  });
});

describe("POST /siem/query/validate", () => {
  it("reports whether a query is valid, and the position of its problem", async () => {
    expect((await validate("user:root timestamp:>now-1h")).json()).toEqual({ valid: true, problems: [] });
    expect((await validate("user:root hosts:a")).json()).toEqual({
      valid: false,
      problems: [{ message: "there is no field 'hosts' (the closest is 'host')", from: 10, to: 17 }],
    });
    expect((await validate(7)).statusCode).toBe(400);
  });
});

it("answers in dummy mode from the showcase", async () => {
  const dummy = await testPlatform("dummy", "none");
  const shown = await siemApp(dummy, { logStore: logs.store });
  const read = async (path: string) => (await shown.inject({ url: `/api/v1/siem/${path}` })).json();
  const { items } = await read("fields?from=now-30d&q=attributes.");
  expect(items.length).toBeGreaterThan(0);
  expect((await read("fields/source/values?from=now-30d")).values.length).toBeGreaterThan(0);
  await dummy.close();
});

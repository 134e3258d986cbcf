import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { otherIntakesRoutes } from "./other-intakes.routes.ts";

let identity: Identity;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let made: ReturnType<typeof createIntake>;
let key: string;

beforeAll(async () => {
  logs = await startLogStore();
  identity = await startIdentity({ url: (await freshDatabase()).url });
  made = createIntake({ db: identity.db, logStore: logs.store });
  await identity.app.register(otherIntakesRoutes(made.intake, made.bodies, createClock()));
  await identity.addUser("admin");
  const headers = await identity.bearer("admin");
  const payload = { name: "edge", scopes: ["siem:ingest"] };
  key = (await identity.app.inject({ method: "POST", url: "/api/v1/api-keys", headers, payload })).json().key;
});

afterAll(async () => {
  await made.intake.close();
  await identity.close();
  await logs.stop();
});

async function listStored(source: string): Promise<LogEvent[]> {
  const where = { sql: "source = {source:String}", parameters: { source } };
  const all = {
    scope: ALL_SITES,
    where,
    time: "ingested_at" as const,
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
  };
  return logs.store.search({ ...all, order: "oldest", limit: 100 });
}

interface Step {
  method: "GET" | "HEAD" | "POST" | "OPTIONS";
  url: string;
  headers?: Record<string, string>;
  payload?: string;
  status: number;
  body?: object;
}

const splunk = () => ({ authorization: `Splunk ${key}` });
const basic = () => ({ authorization: `Basic ${Buffer.from(`elastic:${key}`).toString("base64")}` });
const success = { text: "Success", code: 0 };

async function perform({ method, url, headers = {}, payload, status, body }: Step) {
  const answer = await identity.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  expect([method, url, answer.statusCode]).toEqual([method, url, status]);
  if (body !== undefined) expect(answer.json()).toMatchObject(body);
  return answer;
}

const bulk = (source: string) => `{"create":{}}\n{"message":"${source} line","source":"${source}"}\n`;
const version = { version: { number: expect.stringMatching(/^8\.\d+\.\d+$/), build_flavor: "default" } };
const active = { license: { status: "active", type: "basic" } };

// The requests of each sender at its start and while sending, taken from its source code.
describe("a sender for Splunk", () => {
  it.each<[string, string, () => Step[]]>([
    [
      "the OpenTelemetry collector (splunk_hec exporter)",
      "s-otel",
      () => [
        { method: "GET", url: "/services/collector/health", status: 200, body: { code: 17 } },
        {
          ...{ method: "POST", url: "/services/collector", headers: splunk(), status: 200, body: success },
          payload: '{"event":"s-otel line","source":"s-otel","time":1763200000.5}',
        },
      ],
    ],
    [
      "Docker's log driver",
      "s-docker",
      () => [
        { method: "OPTIONS", url: "/services/collector/event/1.0", status: 200 },
        {
          ...{ method: "POST", url: "/services/collector/event/1.0", headers: splunk(), status: 200, body: success },
          payload: '{"event":{"message":"s-docker line"},"source":"s-docker"}',
        },
      ],
    ],
    [
      "Vector (splunk_hec_logs sink)",
      "s-vector",
      () => [
        { method: "GET", url: "/services/collector/health/1.0", headers: splunk(), status: 200, body: { code: 17 } },
        {
          ...{ method: "POST", url: "/services/collector/event", headers: splunk(), status: 200, body: success },
          payload: '{"event":"s-vector line","source":"s-vector"}',
        },
      ],
    ],
    [
      "Fluent Bit (splunk output, raw)",
      "s-raw",
      () => [
        {
          ...{ method: "POST", headers: splunk(), status: 200, body: success },
          ...{ url: "/services/collector/raw?sourcetype=s-raw&host=web-1", payload: "s-raw line\r\n\n" },
        },
      ],
    ],
  ])("accepts the handshake and the events of %s", async (_sender, source, steps) => {
    for (const step of steps()) await perform(step);
    expect(await listStored(source)).toMatchObject([{ message: `${source} line` }]);
  });

  it("receives the fields of a raw line that contains an object, and those of the URL", async () => {
    const payload = '{"message":"one","user":"ada"}\nplain text\n';
    const url = "/services/collector/raw/1.0?source=s-lines&host=web-1&index=main";
    await perform({ method: "POST", url, headers: splunk(), payload, status: 200, body: success });
    expect(await listStored("s-lines")).toMatchObject([
      { message: "one", user: "ada", host: "web-1", attributes: { index: "main" } },
      { message: "plain text", host: "web-1" },
    ]);
  });

  it.each<[string, string, string, object]>([
    ["a body without events", "/services/collector/event", " ", { text: "No data", code: 5 }],
    ["a raw body without lines", "/services/collector/raw", "\n\n", { text: "No data", code: 5 }],
    [
      "an event without the field event",
      "/services/collector",
      '{"event":"s-mixed first","source":"s-mixed"}{"message":"x"}{"event":"s-mixed last","source":"s-mixed"}',
      { text: "Event field is required", code: 12, "invalid-event-number": 1 },
    ],
    [
      "a blank event",
      "/services/collector/event",
      '{"event":""}',
      { text: "Event field cannot be blank", code: 13, "invalid-event-number": 0 },
    ],
    [
      "broken JSON",
      "/services/collector/event",
      "{broken",
      { text: "Invalid data format", code: 6, "invalid-event-number": 0 },
    ],
  ])("refuses a request with the collector's code for %s", async (_what, url, payload, body) => {
    const answer = await perform({ method: "POST", url, headers: splunk(), payload, status: 400 });
    expect(answer.json()).toEqual(body);
  });

  it("loses no event of a body because of another event in it", async () => {
    const payload = '{"event":"kept 1","source":"s-kept"}{"no":1}{"event":"kept 2","source":"s-kept"}';
    await perform({ method: "POST", url: "/services/collector/event", headers: splunk(), payload, status: 400 });
    expect((await listStored("s-kept")).map(({ message }) => message).toSorted()).toEqual(["kept 1", "kept 2"]);
  });

  it.each([
    ["no token", {}, 401, { text: expect.stringMatching(/^Token is required: /), code: 2 }],
    ["a wrong token", { authorization: "Splunk soc_wrong" }, 401, { text: expect.stringMatching(/^Invalid/), code: 4 }],
  ])("refuses a request in the collector's format with %s", async (_what, headers, status, body) => {
    const answer = await perform({ method: "POST", url: "/services/collector", headers, payload: "{}", status });
    expect(answer.json()).toEqual(body);
  });
});

describe("a sender for Elasticsearch", () => {
  const asJson = { accept: "application/json" };
  it.each<[string, string, () => Step[]]>([
    [
      "Filebeat",
      "s-filebeat",
      () => [
        { method: "GET", url: "/", headers: { ...asJson, ...basic() }, status: 200, body: version },
        { method: "GET", url: "/_license?human=false", headers: { ...asJson, ...basic() }, status: 200, body: active },
        { method: "GET", url: "/_ilm/policy/filebeat", headers: basic(), status: 200 },
        { method: "HEAD", url: "/_index_template/filebeat-8.19.0", headers: basic(), status: 200 },
        { method: "POST", url: "/_bulk", headers: basic(), payload: bulk("s-filebeat"), status: 200 },
      ],
    ],
    [
      "Logstash",
      "s-logstash",
      () => [
        { method: "HEAD", url: "/", headers: basic(), status: 200 },
        { method: "GET", url: "/", headers: { accept: "*/*", ...basic() }, status: 200, body: version },
        { method: "GET", url: "/_license", headers: basic(), status: 200, body: active },
        {
          ...{ method: "POST", url: "/_bulk?filter_path=errors,items.*.error,items.*.status", headers: basic() },
          ...{ payload: bulk("s-logstash"), status: 200, body: { errors: false } },
        },
      ],
    ],
    [
      "Vector (elasticsearch sink)",
      "s-vector-es",
      () => [
        { method: "GET", url: "/_cluster/health", headers: basic(), status: 200, body: { status: "green" } },
        { method: "GET", url: "/", headers: basic(), status: 200, body: version },
        { method: "POST", url: "/_bulk?timeout=60s", headers: basic(), payload: bulk("s-vector-es"), status: 200 },
      ],
    ],
    [
      "the OpenTelemetry collector (elasticsearch exporter)",
      "s-otel-es",
      () => [
        {
          ...{ method: "POST", url: "/logs-generic-default/_bulk", payload: bulk("s-otel-es"), status: 200 },
          headers: { accept: "application/vnd.elasticsearch+json;compatible-with=8", authorization: `ApiKey ${key}` },
          body: { items: [{ create: { _index: "logs-generic-default", status: 201 } }] },
        },
      ],
    ],
  ])("accepts the handshake and the events of %s", async (_sender, source, steps) => {
    for (const step of steps()) {
      const answer = await perform(step);
      expect([step.url, answer.headers["x-elastic-product"]]).toEqual([step.url, "Elasticsearch"]);
    }
    expect(await listStored(source)).toMatchObject([{ message: `${source} line` }]);
  });

  it("refuses a request in Elasticsearch's format", async () => {
    const headers = { authorization: "Basic nonsense" };
    const answer = await perform({ method: "POST", url: "/logs/_bulk", headers, payload: "{}", status: 401 });
    expect(answer.headers["x-elastic-product"]).toBe("Elasticsearch");
    expect(answer.json()).toMatchObject({
      error: { type: "security_exception", reason: expect.any(String) },
      status: 401,
    });
  });
});

import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { createFrame } from "./frame.ts";
import { type Measure, serveMetrics } from "./metrics.ts";

const USAGE = {
  cpuUsage: () => ({ user: 2_500_000, system: 500_000 }),
  memoryUsage: Object.assign(() => ({ rss: 1000, heapUsed: 400, heapTotal: 500, external: 0, arrayBuffers: 0 }), {
    rss: () => 1000,
  }),
};

function start(measures: readonly Measure[] = []) {
  const clock = createFakeClock(new Date("2026-01-01T00:00:00Z"));
  const pages = { folder: undefined, api: "/api" };
  const errorBody = (error: string) => ({ error });
  const app = createFrame({ errorBody, ids: createFakeIds(), bodyBytes: 1024, bodyDepth: 8, pages });
  serveMetrics(app, {}, { prefix: "test", version: "1.2.3", usage: USAGE, measures, clock });
  app.get("/things/:id", async () => ({}));
  app.get("/broken", async () => {
    throw new Problem("unavailable", "not now");
  });
  const scrape = async () => (await app.inject("/metrics")).body.split("\n");
  return { app, clock, scrape };
}

const gauge = (name: string, read: Measure["read"]): Measure => ({ name, help: "A test.", kind: "gauge", read });
const find = (lines: readonly string[], start: string) => lines.filter((line) => line.startsWith(start));

describe("request metrics", () => {
  it("groups requests by route pattern and exports no text of the client", async () => {
    const { app, scrape } = start();
    for (const url of ["/things/1", "/things/secret?token=x", "/nowhere/42", "/api/%zz", "/broken"])
      await app.inject(url);
    await app.inject({ method: "DELETE", url: "/things/3" });
    const lines = await scrape();
    const counts = find(lines, "test_http_request_duration_seconds_count");
    expect(counts.toSorted()).toEqual([
      'test_http_request_duration_seconds_count{method="DELETE",route="none",status="4xx"} 1',
      'test_http_request_duration_seconds_count{method="GET",route="/broken",status="5xx"} 1',
      'test_http_request_duration_seconds_count{method="GET",route="/things/:id",status="2xx"} 2',
      'test_http_request_duration_seconds_count{method="GET",route="none",status="4xx"} 1',
    ]);
    expect(lines.join("\n")).not.toMatch(/secret|token|nowhere|\/42/);
  });
});

describe("process metrics", () => {
  it("exports version, start, processor time, memory and event loop lag of the process", async () => {
    const { app, scrape } = start();
    await app.ready();
    const lines = await scrape();
    expect(lines).toEqual(
      expect.arrayContaining([
        'test_build_info{version="1.2.3"} 1',
        "test_process_start_time_seconds 1767225600",
        "# TYPE test_process_cpu_seconds_total counter",
        'test_process_cpu_seconds_total{mode="user"} 2.5',
        'test_process_cpu_seconds_total{mode="system"} 0.5',
        'test_process_memory_bytes{kind="resident"} 1000',
        'test_process_memory_bytes{kind="heap"} 400',
        expect.stringMatching(/^test_event_loop_lag_seconds\{statistic="max"\} [\d.e-]+$/),
      ]),
    );
    await app.close();
  });
});

describe("gauges", () => {
  it("exports a gauge with one value, one per label value, or none", async () => {
    const { scrape } = start([
      gauge("one", () => 7),
      { ...gauge("many", () => ({ a: 1, b: 0 })), label: "part" },
      gauge("none", () => undefined),
      { ...gauge("events_total", async () => ({ accepted: 3 })), kind: "counter", label: "result" },
    ]);
    const lines = await scrape();
    expect(find(lines, "test_one")).toEqual(["test_one 7"]);
    expect(find(lines, "test_many")).toEqual(['test_many{part="a"} 1', 'test_many{part="b"} 0']);
    expect(find(lines, "test_none")).toEqual([]);
    expect(find(lines, "test_events_total")).toEqual(['test_events_total{result="accepted"} 3']);
    expect(find(lines, "test_measures_failed")).toEqual(["test_measures_failed 0"]);
  });

  it("omits a gauge and counts a failure after an error or four seconds", async () => {
    const { app, clock } = start([
      gauge("failing", () => Promise.reject(new Error("down"))),
      gauge("throwing", () => {
        throw new Error("down");
      }),
      gauge("hanging", () => new Promise(() => undefined)),
      gauge("working", () => 1),
    ]);
    const answered = app.inject("/metrics");
    await expect
      .poll(async () => {
        await clock.advance(500);
        return clock.monotonicMs();
      })
      .toBeGreaterThan(4000);
    const lines = (await answered).body.split("\n");
    expect(lines.filter((line) => /^test_(failing|throwing|hanging|working)/.test(line))).toEqual(["test_working 1"]);
    expect(find(lines, "test_measures_failed")).toEqual(["test_measures_failed 3"]);
  });

  it("reads a gauge at most once in two seconds", async () => {
    let reads = 0;
    const { app, clock, scrape } = start([gauge("reads", () => ++reads)]);
    const answers = await Promise.all([scrape(), scrape(), scrape()]);
    expect(answers.map((lines) => find(lines, "test_reads"))).toEqual(Array(3).fill(["test_reads 1"]));
    await clock.advance(1999);
    expect(find(await scrape(), "test_reads")).toEqual(["test_reads 1"]);
    await clock.advance(1);
    expect(find(await scrape(), "test_reads")).toEqual(["test_reads 2"]);
    expect((await app.inject("/metrics")).headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  });
});

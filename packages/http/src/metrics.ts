import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Clock } from "@kit/clock";
import type { FastifyContextConfig } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Frame } from "./frame.ts";

/** One value, or one for each value of the label. Undefined: there is nothing to measure. */
type Reading = number | Readonly<Record<string, number>> | undefined;

/** A number for programs that watch over a service. The values of its label come from the code, never from a user. */
export interface Measure {
  /** The name without the prefix of the product. A counter ends with `_total`; the name contains the unit. */
  name: string;
  help: string;
  kind: "gauge" | "counter";
  /** Named if there is a value for each of its values. */
  label?: string;
  read(): Reading | Promise<Reading>;
}

/** The resource usage of the process, from main.ts. */
export type ProcessUsage = Pick<NodeJS.Process, "cpuUsage" | "memoryUsage">;

export interface MetricsOptions {
  /** The first part of every name, such as `manara_player`. */
  prefix: string;
  version: string;
  usage: ProcessUsage;
  measures: readonly Measure[];
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
}

/** A measure that takes longer is left out. It may ask two parts after each other, each of which may hang for 1.5 seconds. */
const READ_MS = 4000;
/** Several programs that ask at the same time share one answer. */
const CACHE_MS = 2000;
/** Coarse, so that it does not keep a device on battery awake. */
const LAG_RESOLUTION_MS = 100;
const DURATION_BUCKETS_S = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10];
/** The label of requests without a route: the client chooses their paths. */
const NO_ROUTE = "none";

/**
 * Serves `GET /metrics` in Prometheus' text format, with the access that the product declares. Call it before the routes
 * are registered: it measures those that follow.
 */
export function serveMetrics(app: Frame, config: FastifyContextConfig, options: MetricsOptions): void {
  const { clock } = options;
  const registry = new Registry();
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  let failures = 0;
  const failed: Measure = {
    name: "measures_failed",
    help: "Measures that this answer leaves out because they failed or took too long.",
    kind: "gauge",
    read: () => failures,
  };

  /** Undefined when the measure fails or takes too long. */
  async function read(measure: Measure): Promise<Reading> {
    const over = new AbortController();
    const reading = (async () => measure.read())();
    const late = clock.sleep(READ_MS, over.signal).then(() => Promise.reject(new Error("took too long")));
    try {
      return await Promise.race([reading, late]);
    } catch {
      failures += 1;
      return undefined;
    } finally {
      over.abort();
    }
  }

  const measures = [...options.measures, ...listProcessMeasures(options, lag)];
  const collectors = measures.map((measure) => createCollector(registry, options.prefix, measure));
  const showFailures = createCollector(registry, options.prefix, failed);
  measureRequests(app, registry, options.prefix);

  async function collect(): Promise<string> {
    failures = 0;
    const readings = await Promise.all(measures.map(read));
    for (const [i, show] of collectors.entries()) show(readings[i]);
    showFailures(failures);
    return registry.metrics();
  }

  let cached: { text: Promise<string>; untilMs: number } | undefined;
  app.addHook("onReady", async () => void lag.enable());
  app.addHook("onClose", async () => void lag.disable());
  const schema = {
    operationId: "getMetrics",
    summary: "Get metrics in the Prometheus text format",
    description: "Figures are at most two seconds old.",
    response: { 200: METRICS_TEXT },
  };
  app.get("/metrics", { config, schema }, async (_request, reply) => {
    const nowMs = clock.monotonicMs();
    if (!cached || cached.untilMs <= nowMs) cached = { text: collect(), untilMs: nowMs + CACHE_MS };
    return reply.type(registry.contentType).send(await cached.text);
  });
}

const METRICS_TEXT = { type: "string", description: "Prometheus' text format." };

/** The common part of counters and gauges. */
interface ShownMetric {
  reset(): void;
  inc(labels: Record<string, string>, value: number): void;
  /** Removes the value of a metric without labels until the next one is set. */
  remove(): void;
}

/** Replaces what the metric shows by a reading. */
function createCollector(registry: Registry, prefix: string, measure: Measure): (reading: Reading) => void {
  const { name, help, kind, label } = measure;
  const labelNames = label === undefined ? [] : [label];
  const options = { name: `${prefix}_${name}`, help, labelNames, registers: [registry] };
  const metric: ShownMetric = kind === "counter" ? new Counter(options) : new Gauge(options);
  return (reading) => {
    metric.reset();
    if (typeof reading === "number") metric.inc({}, reading);
    else if (label === undefined) metric.remove();
    else for (const [value, count] of Object.entries(reading ?? {})) metric.inc({ [label]: value }, count);
  };
}

/** Labels: route pattern and status class. Clients cannot create new series. */
function measureRequests(app: Frame, registry: Registry, prefix: string): void {
  const durations = new Histogram({
    name: `${prefix}_http_request_duration_seconds`,
    help: "Time from a request to the end of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  });
  app.addHook("onResponse", ({ method, is404, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = is404 ? NO_ROUTE : (routeOptions.url ?? NO_ROUTE);
    const status = `${Math.floor(statusCode / 100)}xx`;
    durations.observe({ method, route, status }, elapsedTime / 1000);
    done();
  });
}

function listProcessMeasures(
  { usage, version, clock }: Pick<MetricsOptions, "usage" | "version" | "clock">,
  lag: ReturnType<typeof monitorEventLoopDelay>,
): Measure[] {
  const startedS = clock.now().getTime() / 1000;
  return [
    {
      name: "build_info",
      help: "1, with the version of the product as its label.",
      kind: "gauge",
      label: "version",
      read: () => ({ [version]: 1 }),
    },
    {
      name: "process_start_time_seconds",
      help: "When the process started, in seconds since 1970.",
      kind: "gauge",
      read: () => startedS,
    },
    {
      name: "process_cpu_seconds_total",
      help: "Processor time of the process.",
      kind: "counter",
      label: "mode",
      read() {
        const { user, system } = usage.cpuUsage();
        return { user: user / 1e6, system: system / 1e6 };
      },
    },
    {
      name: "process_memory_bytes",
      help: "Memory of the process: resident, and of that the used part of the JavaScript heap.",
      kind: "gauge",
      label: "kind",
      read() {
        const { rss, heapUsed } = usage.memoryUsage();
        return { resident: rss, heap: heapUsed };
      },
    },
    {
      name: "event_loop_lag_seconds",
      help: "How late the event loop was since the previous answer.",
      kind: "gauge",
      label: "statistic",
      read() {
        const toLagS = (ns: number) => Math.max(0, ns / 1e9 - LAG_RESOLUTION_MS / 1000);
        const read = lag.count === 0 ? { p99: 0, max: 0 } : { p99: toLagS(lag.percentile(99)), max: toLagS(lag.max) };
        lag.reset();
        return read;
      },
    },
  ];
}

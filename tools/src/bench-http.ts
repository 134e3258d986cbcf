import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const WRK = "wrk";
const TASKSET = "taskset";
const BIRTHS = 25;
const SECONDS = 1;
const CONNECTIONS = 64;
const SERVERS = ["raw", "frame", "complete"] as const;
type ServerName = (typeof SERVERS)[number];
type Rates = Record<ServerName, number>;
const REQUESTS = {
  GET: { path: "/items?limit=25&q=fajr", script: "" },
  POST: {
    path: "/items",
    script: [
      'wrk.method = "POST"',
      'wrk.headers["content-type"] = "application/json"',
      `wrk.body = '{"position": 61000, "mode": "on", "tags": ["a", "b"]}'`,
    ].join("\n"),
  },
} as const;

/**
 * The Fastify frame against raw node:http. "frame" is without log and limiter; "complete" is what the products ship.
 * Two processes of the same program differ by a tenth, and a shared machine drifts: so each of the three starts many
 * times, in turns, pinned to a core. The report has the median and the fastest: interference only ever slows down.
 */
async function main(): Promise<void> {
  if (spawnSync(WRK, ["-v"]).error) throw new Error("the bench http needs wrk (Debian: apt-get install wrk)");
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  const shape = `medians of ${BIRTHS} births, ${SECONDS} s each, ${CONNECTIONS} connections`;
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${memoryGiB} GiB; ${shape}\n`);
  console.log("| request | raw node:http | frame without log and limiter | complete frame |\n|---|---|---|---|");
  for (const [method, request] of Object.entries(REQUESTS)) {
    const births: Rates[] = [];
    for (let birth = 0; birth < BIRTHS; birth += 1) births.push(await measureBirth(birth, request));
    console.log(formatRow(method, births));
  }
}

async function measureBirth(birth: number, request: { path: string; script: string }): Promise<Rates> {
  const rates: Rates = { raw: 0, frame: 0, complete: 0 };
  for (let turn = 0; turn < SERVERS.length; turn += 1) {
    const name = SERVERS[(birth + turn) % SERVERS.length] ?? "raw";
    const { child, port } = await startServer(name);
    measure(port, request, 1);
    rates[name] = measure(port, request, SECONDS);
    child.kill();
  }
  return rates;
}

async function startServer(name: ServerName): Promise<{ child: ChildProcess; port: number }> {
  const script = fileURLToPath(new URL("bench-http-server.js", import.meta.url));
  const child = spawn(TASKSET, ["-c", "0", process.execPath, script, name], { stdio: ["ignore", "pipe", "inherit"] });
  const printed: unknown[] = await once(child.stdout, "data");
  return { child, port: Number(String(printed[0])) };
}

function measure(port: number, { path, script }: { path: string; script: string }, seconds: number): number {
  const file = join(mkdtempSync(join(tmpdir(), "wrk-")), "request.lua");
  writeFileSync(file, script);
  const load = [
    "-t",
    "1",
    "-c",
    String(CONNECTIONS),
    "-d",
    `${seconds}s`,
    "-s",
    file,
    `http://127.0.0.1:${port}${path}`,
  ];
  const { stdout } = spawnSync(TASKSET, ["-c", "1", WRK, ...load], { encoding: "utf8" });
  if (stdout.includes("Non-2xx")) throw new Error(`the server refused its own benchmark:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

function formatRow(method: string, births: readonly Rates[]): string {
  const cells = SERVERS.map((name) => {
    const [typical, fastest] = [median, highest].map((pick) => {
      const rate = pick(births.map((rates) => rates[name]));
      return `${Math.round(rate)}/s (${(rate / pick(births.map(({ raw }) => raw))).toFixed(2)})`;
    });
    return `${typical}, fastest ${fastest}`;
  });
  return `| ${method} | ${cells.join(" | ")} |`;
}

function highest(values: number[]): number {
  return Math.max(...values);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await main();

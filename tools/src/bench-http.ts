import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const WRK = "wrk";
const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 64;
const SERVERS = ["raw", "frame", "complete"] as const;
type ServerName = (typeof SERVERS)[number];
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
 * The Fastify frame against raw node:http, in turns within one run, so that a noisy machine disturbs all alike.
 * "frame" is without log and limiter; "complete" is what the products ship.
 */
async function main(): Promise<void> {
  if (spawnSync(WRK, ["-v"]).error) throw new Error("bench:http needs wrk (Debian: apt-get install wrk)");
  const servers = new Map<ServerName, { child: ChildProcess; port: number }>();
  for (const name of SERVERS) servers.set(name, await startServer(name));
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  const shape = `${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections`;
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${memoryGiB} GiB; ${shape}, medians\n`);
  console.log("| request | raw node:http | frame without log and limiter | complete frame |\n|---|---|---|---|");
  try {
    for (const [method, request] of Object.entries(REQUESTS)) {
      const measured = new Map<ServerName, number[]>(SERVERS.map((name) => [name, []]));
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const [name, { port }] of servers) {
          const rate = measure(port, request);
          if (round >= 0) measured.get(name)?.push(rate);
        }
      }
      console.log(rowOf(method, measured));
    }
  } finally {
    for (const { child } of servers.values()) child.kill();
  }
}

async function startServer(name: ServerName): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL("bench-http-server.js", import.meta.url)), [name]);
  const told: unknown[] = await once(child, "message");
  return { child, port: Number(told[0]) };
}

function measure(port: number, { path, script }: { path: string; script: string }): number {
  const file = join(mkdtempSync(join(tmpdir(), "wrk-")), "request.lua");
  writeFileSync(file, script);
  const args = [
    "-t",
    "1",
    "-c",
    String(CONNECTIONS),
    "-d",
    `${SECONDS}s`,
    "-s",
    file,
    `http://127.0.0.1:${port}${path}`,
  ];
  const { stdout } = spawnSync(WRK, args, { encoding: "utf8" });
  if (stdout.includes("Non-2xx")) throw new Error(`the server refused its own benchmark:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

function rowOf(method: string, measured: Map<ServerName, number[]>): string {
  const medianOf = (name: ServerName) => median(measured.get(name) ?? []);
  const raw = medianOf("raw");
  const cells = SERVERS.map((name) => `${Math.round(medianOf(name))}/s (${(medianOf(name) / raw).toFixed(2)})`);
  return `| ${method} | ${cells.join(" | ")} |`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await main();

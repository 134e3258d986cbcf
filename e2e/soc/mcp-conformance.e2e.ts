import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedService, startService } from "../services.ts";
import { createSocClient, requestToken } from "./client.ts";

// The protocol's own test suite and its client of the line 1.x. They are installed here and not with the repository: the suite runs
// on Node 24 only, and both bring a hundred packages. The line 0.2 of the suite is the first that knows revision 2026-07-28.
const SUITE = "@modelcontextprotocol/conformance";
const CLIENT = "@modelcontextprotocol/sdk";
const PACKAGES = [`${SUITE}@0.2.0-alpha.12`, `${CLIENT}@1.32.2`, `node-linux-${arch()}@24.21.0`];
const INSTALL = ["install", "--no-fund", "--no-audit", "--no-save", "--loglevel=error", "--prefix"];

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

const run = promisify(execFile);
let folder: string;
let soc: StartedService;
let proxy: Server;
let authorization: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-suite-"));
  await run("npm", [...INSTALL, folder, ...PACKAGES], { cwd: folder });
  soc = await startService("soc", { SOC_LIMIT_GENERAL_PER_MINUTE: "10000" });
  authorization = `Bearer ${await requestToken(createSocClient(soc.url))}`;
  proxy = await startAuthorizingProxy(soc.port, authorization);
}, 600_000);

afterAll(async () => {
  proxy.close();
  await soc.stop();
  await rm(folder, { recursive: true });
});

/** The suite sends no Authorization: this proxy adds it and changes nothing else, in particular neither Host nor Origin. */
async function startAuthorizingProxy(port: number, value: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const passed = request({ host: "127.0.0.1", port, method, path, headers: { ...headers, authorization: value } });
    passed.on("response", (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const findNode24 = () => join(folder, `node_modules/node-linux-${arch()}/bin/node`);

/** The checks of one scenario of the suite, in one revision of the protocol. */
async function check(scenario: string, revision: string): Promise<Check[]> {
  const output = await mkdtemp(join(folder, "results-"));
  const { port } = proxy.address() as AddressInfo;
  const suite = join(folder, "node_modules", SUITE, "dist/index.js");
  const chosen = ["--scenario", scenario, "--spec-version", revision, "--output-dir", output];
  // It exits with 1 when a check fails; which one, its file says.
  await run(findNode24(), [suite, "server", "--url", `http://localhost:${port}/mcp`, ...chosen]).catch(() => undefined);
  const [name = ""] = (await readdir(output, { recursive: true })).filter((each) => each.endsWith("checks.json"));
  return JSON.parse(await readFile(join(output, name), "utf8"));
}

const listOf = (checks: Check[], status: Check["status"]) =>
  checks.filter((each) => each.status === status).map(({ id }) => id);

describe("official MCP conformance suite", () => {
  it.each([
    ["server-initialize", "2025-06-18", 1],
    ["server-initialize", "2025-11-25", 2],
    ["ping", "2025-11-25", 2],
    ["tools-list", "2025-11-25", 3],
    ["tools-list", "2026-07-28", 4],
    ["dns-rebinding-protection", "2025-11-25", 2],
    ["dns-rebinding-protection", "2026-07-28", 2],
    ["http-header-validation", "2026-07-28", 14],
  ])("passes %s of %s", async (scenario, revision, atLeast) => {
    const checks = await check(scenario, revision);
    expect(checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")).toEqual([]);
    expect(listOf(checks, "SUCCESS").length).toBeGreaterThanOrEqual(atLeast);
  });

  it("passes server-stateless of 2026-07-28 except tests that need special tools or a subscription", async () => {
    const checks = await check("server-stateless", "2026-07-28");
    const failed = checks.filter(({ status }) => status === "FAILURE");
    const needsOwnTool = failed.filter(({ errorMessage }) =>
      errorMessage?.includes("does not list the diagnostic tool"),
    );
    expect(needsOwnTool).toHaveLength(4);
    expect(
      listOf(
        failed.filter((each) => !needsOwnTool.includes(each)),
        "FAILURE",
      ).toSorted(),
    ).toEqual(["sep-2575-server-sends-subscription-ack", "sep-2575-server-tags-subscription-id"]);
    expect(listOf(checks, "SUCCESS").length).toBeGreaterThanOrEqual(22);
    // A promise of notifications that never come would be a warning here.
    expect(listOf(checks, "WARNING")).toEqual([]);
  });
});

it("serves the official client 1.32 in two revisions: it connects, pings, lists, calls and reads refusals", async () => {
  const revisions = ["2025-11-25", "2025-06-18"];
  const client = fileURLToPath(new URL("./mcp-old-client.ts", import.meta.url));
  const sdk = join(folder, "node_modules", CLIENT);
  const { stdout } = await run(findNode24(), [client, sdk, `${soc.url}/mcp`, authorization, ...revisions]);
  const reportOf = (negotiated: string) => ({
    negotiated,
    server: { name: "manara-soc" },
    ping: {},
    tools: 15,
    found: { structuredContent: { status: "completed", found: false, error_code: null } },
    missing: { isError: true, structuredContent: { status: "error", error_code: "not_found" } },
    invalid: { isError: true, structuredContent: { error_code: "invalid_input", error: "alert_id: is required" } },
    blocked: { isError: true, structuredContent: { error_code: "mode_blocked" } },
    unknown: expect.stringMatching(/get_weather not found/),
    unauthenticated: expect.stringMatching(/valid bearer token/),
  });
  expect(JSON.parse(stdout)).toMatchObject(revisions.map(reportOf));
});

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count } from "../counts.ts";
import { askConcurrently, countStatuses, createSocClient, requestToken, type StartedSoc, startSoc } from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";
import { parkInvestigations, raiseIntrusions, setWidth } from "./investigations.ts";

const RUNS = count({ ci: 5, full: 100 });
const ENDED_MS = count({ ci: 180_000, full: 1_800_000 });
const LIMIT = 10;
const DENIED = 99;
const PASSWORD = "staple battery horse";
const REPLAY = new URL("../../apps/soc/bundle/main-replay.js", import.meta.url).pathname;
/** A module that ends its process as soon as something opens a socket or asks for a name. */
const DENY = `
  import dgram from "node:dgram";
  import dns from "node:dns";
  import { syncBuiltinESMExports } from "node:module";
  import net from "node:net";
  const deny = () => process.exit(${DENIED});
  for (const name of ["connect", "bind", "send"]) dgram.Socket.prototype[name] = deny;
  for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) dns[name] = dns.promises[name] = deny;
  net.Socket.prototype.connect = net.Server.prototype.listen = deny;
  syncBuiltinESMExports();`;

/** Runs a program of ours without sockets, and returns its exit code and output. */
function runWithoutSockets(...args: string[]): Promise<{ code: unknown; output: string }> {
  const denying = ["--import", `data:text/javascript,${encodeURIComponent(DENY)}`];
  return new Promise((resolve) => {
    execFile(process.execPath, [...denying, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });
}

it.each([
  ["a connection", `net.connect(1, "127.0.0.1")`],
  ["a request", `fetch("http://127.0.0.1:9999")`],
  ["an encrypted connection", `tls.connect(1, "127.0.0.1")`],
  ["a socket of the machine", `net.connect("/run/none.sock")`],
  ["a server", `net.createServer().listen(0)`],
  ["a datagram", `dgram.createSocket("udp4").send("x", 1, "127.0.0.1")`],
  ["a name", `dns.lookup("localhost", () => undefined)`],
])("denies %s", async (_what, program) => {
  expect((await runWithoutSockets("--eval", program)).code).toBe(DENIED);
});

describe("transcripts of investigations", () => {
  let database: TestDatabase;
  let soc: StartedSoc;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "soc-transcripts-"));
    database = await startDatabase();
    soc = await startSoc(database.url, { SOC_AGENT_CASES: "on", SOC_LIMIT_INTAKE_PER_MINUTE: "1000000" });
  }, 180_000);
  afterAll(async () => {
    await soc.service.stop();
    await database.remove();
    await rm(folder, { recursive: true });
  });

  async function replay(transcript: object) {
    const path = join(folder, "transcript.json");
    await writeFile(path, JSON.stringify(transcript));
    return runWithoutSockets(REPLAY, path);
  }

  it(
    `reproduce calls and findings on their own (${RUNS})`,
    async () => {
      await parkInvestigations(soc);
      const hosts = Array.from({ length: RUNS }, (_, index) => `ws${index + 1}`);
      const ids = await raiseIntrusions(soc, database, hosts, ["critical", "low", "info", "high"]);
      await setWidth(soc.client, 10);
      const countEnded = async () =>
        Number((await database.ask("SELECT count(*) FROM investigations WHERE status = 'completed'"))[0]);
      await expect.poll(countEnded, { timeout: ENDED_MS, interval: 500 }).toBe(RUNS);
      await setWidth(soc.client, 0);

      let steps = 0;
      const verdicts: Record<string, number> = {};
      for (const id of ids) {
        const { body } = await soc.client.get(`/agents/investigations/${id}/transcript`);
        const { verdict, findings } = body.investigation;
        expect(findings.length).toBeGreaterThan(0);
        const output = `SAME: investigation ${id}, ${body.steps.length} steps, verdict ${verdict}\n`;
        expect(await replay(body)).toEqual({ code: 0, output });
        steps += body.steps.length;
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
      }
      console.log(`soc: ${RUNS} investigations replayed without sockets, ${steps} steps, ${JSON.stringify(verdicts)}`);

      const { body } = await soc.client.get(`/agents/investigations/${ids[0]}/transcript`);
      const [, ...findings] = body.investigation.findings;
      const changed = { ...body, investigation: { ...body.investigation, findings } };
      expect(await replay(changed)).toEqual({ code: 1, output: expect.stringContaining("findings differ") });
      expect((await replay({ ...body, steps: body.steps.slice(1) })).code).toBe(1);
    },
    2 * ENDED_MS,
  );

  it(`are limited to ${LIMIT} requests a minute per caller`, async () => {
    await setWidth(soc.client, 0);
    expect((await soc.client.post("/users", { username: "amina", password: PASSWORD, role: "tier2" })).status).toBe(
      201,
    );
    const ask = (client: StartedSoc["client"]) => client.post("/agents/investigate", { alert_context: "odd sign-in" });
    const answers = await askConcurrently([soc.client], LIMIT + 5, ask);

    expect(countStatuses(answers)).toEqual({ 200: LIMIT, 429: 5 });
    for (const { status, headers, body } of answers) {
      if (status === 200) expect(body).toMatchObject({ status: "queued" });
      if (status !== 429) continue;
      expect(body).toEqual({ detail: `more than ${LIMIT} requests a minute; see Retry-After` });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
    }
    const other = createSocClient(soc.service.url, await requestToken(soc.client, "amina", PASSWORD));
    expect((await ask(other)).status).toBe(200);
    expect((await soc.client.get("/agents/investigations/queue")).body).toMatchObject({ queued: LIMIT + 1, width: 0 });
  });
});

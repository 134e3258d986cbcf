import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { expect, it, onTestFinished } from "vitest";
import { count } from "../counts.ts";
import { addEvidence, createSocClient, openCase, requestToken, type SocClient } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";
import { copyKeys, type HostOptions, type StartedHost, signInAt, startHost } from "./hosts.ts";
import { showCode } from "./totp.ts";
import { createMemory, createTally, findLost, formatTally, keepWriting, openSharedCase } from "./writers.ts";

const run = promisify(execFile);
const clock = createClock();
const COMMAND = new URL("../../apps/soc/bundle/main-command.js", import.meta.url).pathname;
const KILLS = count({ ci: 2, full: 12 });
// The command loads for about half a second, and then works for less.
const KILL_STEP_MS = 60;
const SIGNED_MS = 90_000;
const CODE_MS = 95_000;
const MONA = { username: "mona", password: "staple battery horse" };
const HOOK = {
  name: "Hook",
  kind: "webhook",
  settings: { url: "https://hooks.example.org/a", secret: "a secret of ours" },
};

/** A host whose keys are secrets in a folder of their own. */
interface Host extends StartedHost {
  keys: Record<string, string>;
}

function buildEnvironment({ dataFolder, keys }: Pick<Host, "dataFolder" | "keys">, databaseUrl: string) {
  return { ...process.env, SOC_MODE: "real", SOC_DATABASE_URL: databaseUrl, SOC_DATA_DIR: dataFolder, ...keys };
}

it("replaces the keys of the ledger and of secrets on two serving hosts that are killed repeatedly", async () => {
  const { url: databaseUrl, ask } = await startDatabaseForTest();
  const startFirst = (given: Partial<HostOptions> = {}) => startHost({ role: "all", databaseUrl, ...given });
  let first: Host = { ...(await startFirst()), keys: {} };
  const client = await signInAt(first);
  const keys = await copyKeys(first.dataFolder);
  const startSecond = (given: Partial<HostOptions> = {}) =>
    startHost({ role: "api", databaseUrl, env: keys, ...given });
  let second: Host = { ...(await startSecond()), keys };
  const former = await copyKeys(first.dataFolder);

  // Data that the keys of the platform sealed and signed.
  const hook = (await client.post("/notifications/channels", HOOK)).body.id;
  const secret = await addFactor(client, first.url);
  const caseId = await openCase(client);
  await addEvidence(client, caseId, "disk 1");
  await untilSigned(client);
  const { body: formerBundle } = await client.get(`/ledger/bundle?case_id=${caseId}`);

  const [memory, tally, over] = [createMemory(), createTally(), new AbortController()];
  onTestFinished(() => over.abort());
  const sharedCase = await openSharedCase(client, memory);
  // A browser and a sensor: they repeat elsewhere what a stopped process does not take.
  const serving = { first: first.url, second: second.url };
  const writing = (["first", "second"] as const).map(async (name) => {
    const token = await requestToken(createSocClient(serving[name]));
    const at = (): SocClient => createSocClient(serving[name], token);
    const moving: SocClient = {
      ...at(),
      post: (...each) => at().post(...each),
      patch: (...each) => at().patch(...each),
    };
    await keepWriting({ client: moving, memory, tally, name, sharedCase, until: over.signal });
  });

  const command = (host: Host, ...words: string[]) =>
    run(process.execPath, [COMMAND, "keys", ...words], { env: buildEnvironment(host, databaseUrl) });
  for (const name of ["ledger", "channels"] as const) {
    await command(first, "prepare", name);
    const variable = `SOC_${name.toUpperCase()}_KEY_FILE`;
    await copyFile(join(first.dataFolder, `${name}.key.next`), `${keys[variable]}.next`);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killAfter(
        spawn(process.execPath, [COMMAND, "keys", "rotate", name], { env: buildEnvironment(first, databaseUrl) }),
        400 + kill * KILL_STEP_MS,
      );
    }
    // Completes what the kills interrupted.
    await command(first, "rotate", name).catch((failed: unknown) =>
      expect(failed).toMatchObject({ stderr: expect.stringMatching(/\.next is missing/) }),
    );
    // The second host can start with both the next key and the previous one.
    await second.stop();
    second = { ...(await startSecond({ dataFolder: second.dataFolder })), keys };
    serving.second = second.url;
    await command(second, "rotate", name);
  }
  await first.stop();
  first = { ...(await startFirst({ dataFolder: first.dataFolder })), keys: {} };
  serving.first = first.url;
  await second.stop();
  second = { ...(await startSecond({ dataFolder: second.dataFolder })), keys };
  serving.second = second.url;
  for (const host of [first, second]) {
    expect((await command(host, "retire", "channels")).stdout).toBe(
      `0 secrets are sealed with ${(await ask("SELECT fingerprint FROM platform_keys WHERE name = 'channels'"))[0]}\nThe former key is removed\n`,
    );
  }

  const [one, two] = [await signInAt(first), await signInAt(second)];
  for (const each of [one, two]) {
    expect((await each.get(`/notifications/channels/${hook}`)).body.settings).toMatchObject({
      host: "hooks.example.org",
      has_secret: true,
    });
  }
  const signIn = () =>
    createSocClient(second.url).ask("POST", "/api/v1/auth/token", { ...MONA, code: showCode(secret) });
  // A code is accepted once: the next one comes within half a minute.
  await expect.poll(async () => (await signIn()).status, { timeout: CODE_MS, interval: 15_000 }).toBe(200);

  over.abort();
  await Promise.all(writing);
  await addEvidence(two, caseId, "disk 2");
  await untilSigned(two);
  // The case of the bundles is this test's own.
  expect(await findLost(one, memory)).toEqual(["/cases has Intrusion at the dam, which no writer sent"]);
  process.stdout.write(`keys: ${formatTally(tally)}\n`);
  expect([...tally.statuses.keys()].filter((status) => status !== "none" && Number(status) >= 500)).toEqual(
    tally.statuses.has(503) ? [503] : [],
  );
  for (const each of [one, two]) expect((await each.get("/ledger/status")).body.alarm).toBeNull();

  // Bundles of both keys, by the key that each auditor trusts.
  const checkpoints = join(first.dataFolder, "ledger-checkpoints.ndjson");
  const { body: bundle } = await two.get(`/ledger/bundle?case_id=${caseId}`);
  const formerKey = formerBundle.chain.key_id;
  expect(bundle.chain.key_id).not.toBe(formerKey);
  expect(await verify(formerBundle, formerKey, checkpoints)).toMatch(/^GENUINE: .* has 1 entries/);
  expect(await verify(bundle, formerKey, checkpoints)).toMatch(/^GENUINE: .* has 2 entries/);
  expect(await verify(bundle, bundle.chain.key_id)).toMatch(/^GENUINE: /);
  expect(await verify(bundle, formerKey)).toMatch(/^NOT GENUINE: .*not by the trusted one/);

  const refused = await startSecond({ env: former }).then(String, String);
  expect(refused).toMatch(/exit code 1[\s\S]*SOC_LEDGER_KEY_FILE: does not match the key of this database/);
});

async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  const ended = once(child, "exit");
  await Promise.race([ended, clock.sleep(ms)]);
  child.kill("SIGKILL");
  await ended;
}

async function untilSigned({ get }: SocClient): Promise<void> {
  await expect
    .poll(async () => (await get("/ledger/status")).body.waiting, { timeout: SIGNED_MS, interval: 500 })
    .toBe(0);
}

/** The secret of the authenticator app of a user. */
async function addFactor(admin: SocClient, url: string): Promise<string> {
  expect((await admin.post("/users", { ...MONA, role: "tier1" })).status).toBe(201);
  const mona = createSocClient(url, await requestToken(createSocClient(url), MONA.username, MONA.password));
  const made = await mona.post("/me/factors/totp", { name: "phone", current_password: MONA.password });
  expect(made.status).toBe(201);
  const { id, secret } = made.body;
  expect((await mona.post(`/me/factors/totp/${id}/confirm`, { code: showCode(secret) })).status).toBe(200);
  return secret;
}

async function verify(bundle: object, ...others: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "soc-bundle-"));
  const path = join(folder, "bundle.json");
  await writeFile(path, JSON.stringify(bundle));
  const words = [COMMAND, "verify", path, ...others];
  const answered = await run(process.execPath, words).catch((failed: unknown) => failed);
  await rm(folder, { recursive: true });
  return typeof answered === "object" && answered !== null && "stdout" in answered ? String(answered.stdout) : "";
}

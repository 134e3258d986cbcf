import { once } from "node:events";
import { chmod, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../command.ts";
import { isFull, select } from "../counts.ts";
import { ADMIN_PASSWORD, type StartedService, startService } from "../services.ts";
import { startDatabase, type TestDatabase } from "./database.ts";

const COMMANDS = [
  ...["start", "migrate", "user list", "user add", "user password", "user role", "user disable", "user enable"],
  ...["key list", "key create", "key revoke", "ingest", "rules import", "rules export", "rules test"],
  ...["audit delete", "verify", "backup", "restore", "doctor", "support-bundle", "completion bash"],
];
const clock = createClock();
const SOON = { timeout: 60_000, interval: 500 };

let database: TestDatabase;
let soc: StartedService;
let folder: string;
let server: Record<string, string>;
let admin: Record<string, string>;

beforeAll(async () => {
  database = await startDatabase();
  soc = await startService("soc", { SOC_MODE: "real", SOC_DATABASE_URL: database.url });
  folder = await mkdtemp(join(tmpdir(), "soc-commands-"));
  await writeFile(join(folder, "password"), `${ADMIN_PASSWORD}\n`, { mode: 0o600 });
  const { port, dataFolder } = soc;
  const own = { SOC_MODE: "real", SOC_DATABASE_URL: database.url, SOC_ADMIN_PASSWORD: ADMIN_PASSWORD };
  server = { ...own, SOC_PORT: String(port), SOC_DATA_DIR: dataFolder };
  admin = { SOC_URL: soc.url, SOC_PASSWORD_FILE: join(folder, "password") };
  while ((await fetch(`${soc.url}/ready`)).status !== 200) await clock.sleep(500);
});
afterAll(async () => {
  await soc.stop();
  await database.remove();
});

const run = (words: string, env: Record<string, string> = admin) => runCommand("soc", words.split(" "), env);

it("describes itself and every command with its exit codes", async () => {
  const { code, out } = await run("--help", {});
  expect(code).toBe(0);
  for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  for (const name of select({ ci: ["start", "user add", "ingest", "completion bash"], full: COMMANDS })) {
    const help = await run(`${name} --help`, {});
    expect(help, name).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(new RegExp(`^Usage: manara-soc ${name}[\\s\\S]*Exit codes:\n  0  done`));
  }
  expect(await run("fly", {})).toMatchObject({ code: 2, out: "", err: expect.stringContaining("'fly'") });
  expect((await run("--version", {})).out).toBe("manara-soc 2.0.0\n");
});

it("adds, changes and disables users as the administrator whose password is in a file", async () => {
  const added = await run("user add noor --role tier1");
  expect(added, added.err).toMatchObject({ code: 0, out: expect.stringMatching(/^[\w-]{20}\n$/) });
  const signIn = async (password: string) => {
    const body = JSON.stringify({ username: "noor", password });
    return (await fetch(`${soc.url}/api/v1/auth/token`, { method: "POST", body })).status;
  };
  expect(await signIn(added.out.trim())).toBe(200);
  expect((await run("user role noor tier2")).code).toBe(0);
  const list = JSON.parse((await run("user list --json")).out);
  expect(list).toContainEqual(expect.objectContaining({ username: "noor", role: "tier2", disabled: false }));
  expect((await run("user disable noor")).code).toBe(0);
  expect(await signIn(added.out.trim())).toBe(401);
  expect((await run("user list")).out).toContain("noor\ttier2\tdisabled\n");
  expect(await run("user role missing tier2")).toMatchObject({ code: 2, err: expect.stringContaining("404") });
  expect(await run("user add mona")).toMatchObject({ code: 2, err: expect.stringContaining("--role: is required") });
  const stranger = { ...admin, SOC_USER: "noor" };
  expect(await run("user list", stranger)).toMatchObject({ code: 2, err: expect.stringContaining("401") });
});

it("creates a key, sends a file with it once, and revokes it", async () => {
  const created = await run("key create shipper --scope siem:ingest");
  expect(created, created.err).toMatchObject({ code: 0, out: expect.stringMatching(/^soc_[\w-]{43}\n$/) });
  const keyFile = join(folder, "key");
  await writeFile(keyFile, created.out, { mode: 0o600 });
  const shipper = { SOC_URL: soc.url, SOC_API_KEY_FILE: keyFile };

  const logs = join(folder, "logs.ndjson");
  const lines = Array.from({ length: 2500 }, (_, n) => JSON.stringify({ message: `line ${n}`, source: "file" }));
  await writeFile(logs, lines.join("\n"));
  const sent = await run(`ingest ${logs} --json`, shipper);
  expect(sent.code, sent.err).toBe(0);
  expect(JSON.parse(sent.out)).toEqual({ accepted: 2500, rejected: 0 });
  expect((await run(`ingest ${logs}`, shipper)).out).toBe("2500 accepted, 0 rejected\n");

  const count = async (source: string) => {
    const body = JSON.stringify({ username: "admin", password: ADMIN_PASSWORD });
    const signedIn = await fetch(`${soc.url}/api/v1/auth/token`, { method: "POST", body });
    const { access_token } = (await signedIn.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await fetch(`${soc.url}/api/v1/siem/logs?query=source:${source}&limit=1`, { headers });
    return ((await answer.json()) as { total: number }).total;
  };
  await expect.poll(() => count("file"), SOON).toBe(2500);

  const broken = join(folder, "broken.log");
  await writeFile(broken, '{"message":"fine"}\nno object\n');
  expect(await run(`ingest ${broken}`, shipper)).toMatchObject({ code: 1, out: "1 accepted, 1 rejected\n" });
  expect(await run(`ingest ${broken} --format text --source plain`, shipper)).toMatchObject({ code: 0 });
  await expect.poll(() => count("plain"), SOON).toBe(2);

  const [key] = JSON.parse((await run("key list --json")).out).filter(
    ({ name }: { name: string }) => name === "shipper",
  );
  expect((await run(`key revoke ${key.id}`)).code).toBe(0);
  expect(await run(`ingest ${logs}`, shipper)).toMatchObject({ code: 2, err: expect.stringContaining("401") });
  expect((await run("key list")).out).toContain("shipper\trevoked\t");
});

it("imports, exports and tests rules", async () => {
  const rules = await mkdtemp(join(tmpdir(), "soc-rules-"));
  const rule = "manara_rule: 1\nname: From a file\nquery: user:absent\n";
  await writeFile(join(rules, "from-a-file.yaml"), rule);
  const tested = await run(`rules test ${rules}`, {});
  expect(tested.code, tested.out + tested.err).toBe(0);
  const imported = await run(`rules import ${rules}`);
  expect(imported.code, imported.out + imported.err).toBe(0);
  const exported = await mkdtemp(join(tmpdir(), "soc-rules-"));
  expect((await run(`rules export ${exported}`)).code).toBe(0);
  expect((await run(`rules import ${exported} --dry-run`)).code).toBe(0);
  await writeFile(join(rules, "broken.yaml"), "name: [");
  expect((await run(`rules test ${rules}`, {})).code).toBe(1);
});

it("reports a healthy platform and names the faults of another one", async () => {
  const healthy = await run("doctor --json", server);
  expect(healthy.code, healthy.out).toBe(0);
  expect(JSON.parse(healthy.out).healthy).toBe(true);
  expect((await run("doctor", server)).out).toMatch(/^ok +database: PostgreSQL \d+.*tables up to date/m);

  await chmod(join(soc.dataFolder, "ledger.key"), 0o644);
  const open = await run("doctor", server);
  expect(open.code).toBe(1);
  expect(open.out).toMatch(/^FAILED +data folder: other users may read .*ledger\.key/m);
  await chmod(join(soc.dataFolder, "ledger.key"), 0o600);

  const unreachable = { ...server, SOC_PORT: "1", SOC_DATABASE_URL: "postgres://someone:hunter2@127.0.0.1:1/none" };
  const missing = await run("doctor", unreachable);
  expect(missing.code).toBe(1);
  expect(missing.out).toMatch(/^FAILED +database: the database does not answer \(ECONNREFUSED\)/m);
  expect(missing.out).toMatch(/^FAILED +service: .*does not answer/m);
  expect(missing.out + missing.err).not.toContain("hunter2");
  const wrong = await run("doctor", { ...server, SOC_MODE: "maybe" });
  expect(wrong.out).toMatch(/^FAILED +configuration: SOC_MODE: must be/m);
});

it.runIf(isFull)("reports that a service that closes every connection does not answer", async () => {
  const closing = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(closing, "listening");
  const address = closing.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { code, out } = await run("doctor", { ...server, SOC_PORT: String(port) });
  expect(code, out).toBe(1);
  expect(out).toMatch(/^FAILED +service: .*does not answer/m);
  closing.close();
});

it("writes a support bundle without any secret", async () => {
  const secret = "hunter2-canary";
  const file = join(folder, "bundle.json");
  const env = {
    ...server,
    ...admin,
    SOC_ADMIN_PASSWORD: secret,
    SOC_SMTP_URL: `smtp://user:${secret}@mail.example`,
    SOC_EDR_ADAPTER_URL: `https://${secret}.example`,
    SOC_DATABASE_URL: database.url.replace("://", `://${secret}:${secret}@`).replace(/@[^@]*@/, `:${secret}@`),
    SOC_LIMIT_CHAT_PER_MINUTE: "17",
  };
  const written = await run(`support-bundle ${file}`, env);
  expect(written.code, written.err).toBe(0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, "utf8");
  expect(text).not.toContain(secret);
  expect(text).not.toContain(ADMIN_PASSWORD);
  expect(text).not.toMatch(/soc_[\w-]{43}|eyJ[\w-]{20}|noor|shipper/);
  const bundle = JSON.parse(text);
  expect(bundle.variables).toMatchObject({ SOC_SMTP_URL: "set", SOC_LIMIT_CHAT_PER_MINUTE: "17", SOC_MODE: "real" });
  expect(bundle.service["/metrics"]).toMatchObject({
    status: 200,
    text: expect.stringContaining("manara_soc_healthy"),
  });
  expect(bundle.checks.map(({ name }: { name: string }) => name)).toContain("ready");
  expect((await run(`support-bundle ${file}`, env)).code).toBe(2);
});

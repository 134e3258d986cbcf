import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lacksPublicData, readPublic, readTarFiles } from "../../../testing/fixtures/public-data.ts";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { createRulesClient, type Send } from "./rules-client.ts";
import { createRulesCommand } from "./rules-command.ts";
import { createYamlFolder } from "./yaml-folder.ts";

const isFull = process.env.PROVE === "full";
/** A normal build tests every fortieth rule; `npm run prove -- rules-as-code` tests all of them. */
const EVERY_RULE = isFull ? 1 : 40;
const PUSHED_RULES = isFull ? 5000 : 300;
const PLACEHOLDERS = /certighost_(cdc_chase_request|cert_issued_via_chase)\.yml$/;
const SIGMA = `title: Whoami of a service # as root
id: 5a4c6d1e-0000-4000-8000-000000000001
tags: [attack.t1033]
level: low
logsource: {product: windows, category: process_creation}
detection: {selection: {Image|endswith: whoami.exe}, condition: selection}
`;
let platform: TestPlatform;
let app: Frame;
let path: string;
let lines: string[];
let role = "detection";

const send: Send = async (method, url, body) => {
  const headers = { "x-role": role };
  const answer = await app.inject({ method, url: `/api/v1${url}`, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, retryAfterSeconds: 0, text: answer.body };
};

function command() {
  lines = [];
  const client = createRulesClient(send, platform.clock);
  return createRulesCommand({
    folder: createYamlFolder(path),
    client: () => client,
    print: (line) => lines.push(line),
  });
}
const pull = (options = {}) => command().pull({ isDryRun: false, isPruning: false, ...options });
const push = (options = {}) => command().push({ isDryRun: false, isPruning: false, ...options });
const write = (name: string, text: string) => writeFile(join(path, name), text);
const readOnly = async () => {
  const [name = ""] = await readdir(path);
  return { name, text: await readFile(join(path, name), "utf8") };
};

async function ask(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object) {
  const headers = { "x-role": "detection" };
  const answer = await app.inject({ method, url: `/api/v1/detections${url}`, headers, ...(payload && { payload }) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}
const listRules = async () => (await ask("GET", "/rules?limit=200")).items;

beforeAll(async () => {
  platform = await testPlatform("real");
  ({ app } = await detectionsPlatform(platform, absentLogStore()));
}, 120_000);

afterAll(() => platform.close());

beforeEach(async () => {
  await sql`DELETE FROM detection_rules`.execute(platform.db);
  path = await mkdtemp(join(tmpdir(), "rules-"));
  role = "detection";
});

afterEach(() => rm(path, { recursive: true }));

describe("rules as code", () => {
  it("shows no difference after a pull and a push, whatever was changed in the rules", async () => {
    await ask("POST", "/rules", {
      name: "Own: rule",
      query: 'user:"a b"\n OR host:x',
      description: " two\n\nlines \n",
    });
    const roles = { sharing_mode: "roles", shared_with_roles: ["tier3"] };
    const threshold = {
      type: "threshold",
      threshold: { count: 3, group_by: ["host"], distinct_field: "user" },
      schedule_enabled: true,
    };
    await ask("POST", "/rules", { name: "Own", query: "x", ...roles, ...threshold });
    const [{ rule }] = (await ask("POST", "/rules/import", { yaml: SIGMA, enabled: false })).items;
    await ask("PATCH", `/rules/${rule.id}`, { alert_severity: "high", tags: ["mine"], query: "host:dc-1" });
    const before = await listRules();
    expect(await pull()).toBe(0);
    expect(await readdir(path)).toHaveLength(3);
    expect([await push({ isDryRun: true, isPruning: true }), lines]).toEqual([0, ["3 rules, 0 differences"]]);
    expect(await push({ isPruning: true })).toBe(0);
    expect(await listRules()).toEqual(before);
    // Into a service without these rules: the same rules, with the same ids.
    await sql`DELETE FROM detection_rules`.execute(platform.db);
    expect([await push({ isDryRun: true }), lines.at(-1)]).toEqual([1, "3 rules, 3 differences"]);
    expect(await push()).toBe(0);
    expect([await push({ isDryRun: true, isPruning: true }), lines]).toEqual([0, ["3 rules, 0 differences"]]);
    const toContent = ({ version: _, updated_at: __, created_at: ___, ...rest }: Record<string, unknown>) => rest;
    const sorted = (rules: { id: string }[]) => rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(toContent);
    expect(sorted(await listRules())).toEqual(sorted(before));
    expect(
      (await ask("GET", `/rules/${rule.id}/versions`)).items.map((each: { version: number }) => each.version),
    ).toEqual([3, 2, 1]);
  });

  it("creates, changes, disables and, only on request, deletes rules", async () => {
    const kept = await ask("POST", "/rules", { name: "kept", query: "user:x" });
    const stale = await ask("POST", "/rules", { name: "stale", query: "user:y" });
    await write("mine.yml", "manara_rule: 1\nname: mine # my own\nquery: user:z\n");
    await write("whoami.yml", SIGMA);
    await write(
      "kept.yml",
      `manara_rule: 1\nid: ${kept.id}\nname: kept\nquery: user:x\nenabled: false\nalert_severity: low\n`,
    );
    expect(await push({ isDryRun: true, isPruning: true })).toBe(1);
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      "create mine.yml",
      "create whoami.yml",
      "update kept.yml",
      `delete ${stale.id}`,
      "3 rules, 4 differences",
    ]);
    expect(lines[2]).toContain("-enabled: true\n+enabled: false");
    expect(await listRules()).toHaveLength(2);
    expect(await push()).toBe(0);
    expect((await listRules()).map(({ name }: { name: string }) => name).toSorted()).toEqual([
      "Whoami of a service",
      "kept",
      "mine",
      "stale",
    ]);
    expect(await ask("GET", `/rules/${kept.id}`)).toMatchObject({ enabled: false, alert_severity: "low", version: 2 });
    // The file now has its id, and keeps everything that a person wrote.
    const mine = await readFile(join(path, "mine.yml"), "utf8");
    expect(mine).toMatch(/^manara_rule: 1\nid: [0-9a-f-]{36}\nname: mine # my own\n/);
    expect(await push({ isDryRun: true })).toBe(0);
    expect(await push({ isPruning: true })).toBe(0);
    expect(await listRules()).toHaveLength(3);
  });

  it("keeps the file name of a renamed rule", async () => {
    const { id } = await ask("POST", "/rules", { name: "First name", query: "user:x" });
    await pull();
    const { name } = await readOnly();
    expect(name).toBe(`first-name-${id.slice(-12)}.yml`);
    await ask("PATCH", `/rules/${id}`, { name: "Second name" });
    expect([await pull({ isDryRun: true }), lines[0]]).toEqual([1, `write ${name}`]);
    await pull();
    expect(await readOnly()).toEqual({ name, text: expect.stringContaining("name: Second name") });
    await ask("DELETE", `/rules/${id}`);
    await pull();
    expect(await readdir(path)).toEqual([name]);
    await pull({ isPruning: true });
    expect(await readdir(path)).toEqual([]);
  });

  it.each([
    ["manara_rule: 1\nname: a\nquery: 'host:('\n", /^refused bad\.yml: query: /],
    ["manara_rule: 1\nname: a\nquery: ''\n", /^refused bad\.yml: query: must select/],
    ["manara_rule: 1\nquery: x\n", /^refused bad\.yml: name: /],
    ["manara_rule: 2\nname: a\nquery: x\n", /^refused bad\.yml: manara_rule: /],
    ["manara_rule: 1\nname: a\nquery: x\nsevrity: low\n", /^refused bad\.yml: sevrity: is not a field/],
    ["manara_rule: 1\nname: a\nquery: x\nid: 7\n", /^refused bad\.yml: id: /],
    [SIGMA.replace("endswith", "nonsense"), /^refused bad\.yml: sigma: .*nonsense/],
    ["manara_rule: 1\nname: [\n", /^refused bad\.yml: yaml: /],
    [`${SIGMA}---\n${SIGMA.replace("0001", "0002")}`, /^refused bad\.yml: /],
  ])("tests rules without a service: %j is refused", async (text, why) => {
    await write("bad.yml", text);
    expect([await command().test(), lines]).toEqual([1, [expect.stringMatching(why)]]);
    expect(await push()).toBe(1);
    expect(await listRules()).toEqual([]);
  });

  it("refuses rules with duplicate ids, and counts valid ones", async () => {
    await write("a.yml", SIGMA);
    expect([await command().test(), lines]).toEqual([0, ["1 rules are valid"]]);
    await write("b.yml", SIGMA);
    expect([await command().test(), lines]).toEqual([1, [expect.stringMatching(/^refused b\.yml: id: /)]]);
  });

  it("neither pulls nor replaces rules of another user", async () => {
    const hidden = await ask("POST", "/rules", { name: "hidden", query: "user:x", sharing_mode: "private" });
    await ask("DELETE", `/rules/${(await ask("POST", "/rules", { name: "gone", query: "x" })).id}`);
    role = "tier3";
    await pull();
    expect(await readdir(path)).toEqual([]);
    await write("theirs.yml", `manara_rule: 1\nid: ${hidden.id}\nname: mine\nquery: user:y\n`);
    await expect(push()).rejects.toThrow(/not shared with you/);
    await ask("DELETE", `/rules/${hidden.id}`);
    await expect(push()).rejects.toThrow(/not shared with you/);
  });

  it(`pushes ${PUSHED_RULES} rules at once, and shows no difference when they are pushed again`, {
    timeout: 900_000,
  }, async () => {
    for (let n = 0; n < PUSHED_RULES; n += 1) {
      await write(
        `rule-${n}.yml`,
        `manara_rule: 1\nname: Rule ${n}\nquery: user:"person ${n}"\ntags: [set-${n % 7}]\n`,
      );
    }
    expect([await push(), lines.at(-1)]).toEqual([0, `${PUSHED_RULES} rules, ${PUSHED_RULES} differences`]);
    const { rows } = await sql<{ stored: number; names: number }>`
      SELECT count(*)::int AS stored, count(DISTINCT name)::int AS names FROM detection_rules`.execute(platform.db);
    expect(rows).toEqual([{ stored: PUSHED_RULES, names: PUSHED_RULES }]);
    expect([await push({ isPruning: true }), lines]).toEqual([0, [`${PUSHED_RULES} rules, 0 differences`]]);
  });

  it("waits if the service requests it, and stops at other errors", async () => {
    let asked = 0;
    const busy: Send = async () => ({ status: ++asked < 3 ? 429 : 403, retryAfterSeconds: 7, text: "no" });
    const waits: number[] = [];
    const clock = { sleep: async (ms: number) => void waits.push(ms) };
    await expect(createRulesClient(busy, clock).list()).rejects.toThrow(/answered 403: no/);
    expect(waits).toEqual([7000, 7000]);
  });
});

describe.skipIf(lacksPublicData("sigma-rules.tar.gz"))("public Sigma rules as code", { timeout: 3_600_000 }, () => {
  it("shows no difference after import, pull and push of public rules", async () => {
    const files = readTarFiles(readPublic("sigma-rules.tar.gz"))
      .filter((file) => file.path.endsWith(".yml") && !PLACEHOLDERS.test(file.path))
      .filter((_, at) => at % EVERY_RULE === 0);
    for (let at = 0; at < files.length; at += 50) {
      const yaml = files
        .slice(at, at + 50)
        .map(({ text }) => text)
        .join("\n---\n");
      expect((await ask("POST", "/rules/import", { yaml })).refused).toEqual([]);
    }
    expect(await pull()).toBe(0);
    expect(await readdir(path)).toHaveLength(files.length);
    expect([await push({ isDryRun: true, isPruning: true }), lines]).toEqual([
      0,
      [`${files.length} rules, 0 differences`],
    ]);
    expect(await push({ isPruning: true })).toBe(0);
    const { rows } = await sql<{ changed: number }>`
      SELECT count(*)::int AS changed FROM detection_rules WHERE version > 1`.execute(platform.db);
    expect(rows).toEqual([{ changed: 0 }]);
    // Also as new rules.
    await sql`DELETE FROM detection_rules`.execute(platform.db);
    expect(await push()).toBe(0);
    expect([await push({ isDryRun: true, isPruning: true }), lines]).toEqual([
      0,
      [`${files.length} rules, 0 differences`],
    ]);
    console.log(`${files.length} public rules: 0 differences`);
  });
});

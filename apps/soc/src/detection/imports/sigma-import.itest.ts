import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lacksPublicData, readPublic, readTarFiles } from "../../../testing/fixtures/public-data.ts";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";

const clock = createClock();
let platform: TestPlatform;
let app: Frame;

beforeAll(async () => {
  platform = await testPlatform("real");
  ({ app } = await detectionsPlatform(platform, absentLogStore()));
});

afterAll(() => platform.close());

const buildSigmaYaml = (id: string, image: string, title = `Rule ${id}`) => `title: ${title}
id: ${id}
level: high
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image|endswith: '\\${image}'}
  condition: selection
`;

async function ask(path: string, payload?: object, method: "GET" | "POST" | "PATCH" = payload ? "POST" : "GET") {
  const answer = await app.inject({ method, url: `/api/v1${path}`, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const importRules = (...documents: string[]) => ask("/detections/rules/import", { yaml: documents.join("---\n") });

async function listAuditEntries(rule_id: string) {
  const entries = await platform.db
    .selectFrom("audit_log")
    .select(["action", "details", "actor", "subject_type"])
    .where("subject_id", "=", rule_id)
    .orderBy("id")
    .execute();
  const events = await platform.db
    .selectFrom("outbox")
    .select(["type", "data"])
    .where("subject_id", "=", rule_id)
    .orderBy("id")
    .execute();
  return { entries, events };
}

it("stores a rule that occurs twice as two versions of one rule, each with its audit entry and event", async () => {
  const id = "aaaaaaaa-0000-4000-8000-000000000001";
  const { status, body } = await importRules(
    buildSigmaYaml(id, "one.exe", "First"),
    buildSigmaYaml(id, "two.exe", "Second"),
  );
  expect(status).toBe(201);
  expect(body.items).toMatchObject([
    { result: "created", rule: { version: 1, name: "First" } },
    { result: "updated", rule: { version: 2, name: "Second" } },
  ]);
  const rule_id = body.items[0].rule.id;
  expect((await ask(`/detections/rules/${rule_id}`)).body).toEqual(body.items[1].rule);
  const { body: versions } = await ask(`/detections/rules/${rule_id}/versions`);
  expect(
    versions.items.map(({ version, rule }: { version: number; rule: { name: string } }) => [version, rule.name]),
  ).toEqual([
    [2, "Second"],
    [1, "First"],
  ]);
  const { entries, events } = await listAuditEntries(rule_id);
  expect(entries).toMatchObject([
    { action: "rule.created", actor: "admin", subject_type: "rule", details: { version: 1, name: "First" } },
    { action: "rule.updated", actor: "admin", subject_type: "rule", details: { version: 2, name: "Second" } },
  ]);
  expect(events).toMatchObject([
    { type: "rule.created", data: { version: 1 } },
    { type: "rule.updated", data: { version: 2 } },
  ]);
});

it("updates many rules in one request, and keeps unchanged rules and local changes", async () => {
  const ids = Array.from({ length: 250 }, (_, n) => `bbbbbbbb-0000-4000-8000-${String(n).padStart(12, "0")}`);
  const first = await importRules(...ids.map((id) => buildSigmaYaml(id, "old.exe")));
  expect(first.body.items.map(({ result }: { result: string }) => result)).toEqual(ids.map(() => "created"));
  const [changed] = first.body.items;
  await ask(`/detections/rules/${changed.rule.id}`, { alert_severity: "low", tags: ["ours"] }, "PATCH");
  const second = await importRules(
    ...ids.map((id, n) => buildSigmaYaml(id, n < 200 ? "new.exe" : "old.exe", "Renamed")),
  );
  expect(second.body.items.every(({ result }: { result: string }) => result === "updated")).toBe(true);
  const third = await importRules(
    ...ids.map((id, n) => buildSigmaYaml(id, n < 200 ? "new.exe" : "old.exe", "Renamed")),
  );
  expect(third.body.items.every(({ result }: { result: string }) => result === "unchanged")).toBe(true);
  const { body: kept } = await ask(`/detections/rules/${changed.rule.id}`);
  expect(kept).toMatchObject({ name: "Renamed", alert_severity: "low", tags: ["ours"], version: 3 });
  const last = first.body.items.at(-1).rule;
  const { body: stored } = await ask(`/detections/rules/${last.id}`);
  expect(stored).toEqual({
    ...last,
    name: "Renamed",
    version: 2,
    sigma: expect.objectContaining({ title: "Renamed" }),
    updated_at: expect.any(String),
  });
  expect((await listAuditEntries(last.id)).entries.map(({ action }) => action)).toEqual([
    "rule.created",
    "rule.updated",
  ]);
});

it("refuses only the rule that cannot be stored", async () => {
  const ids = ["cccccccc-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"] as const;
  const { status, body } = await importRules(
    buildSigmaYaml(ids[0], "bad.exe", '"half a \\ud800 pair"'),
    buildSigmaYaml(ids[1], "good.exe"),
  );
  expect(status).toBe(201);
  expect(body.items).toMatchObject([{ result: "created", rule: { sigma: { id: ids[1] } } }]);
  expect(body.refused).toMatchObject([{ document: 1, reasons: [expect.any(String)] }]);
});

it("stores a rule once in four concurrent imports", async () => {
  const rules = Array.from({ length: 20 }, (_, n) =>
    buildSigmaYaml(`dddddddd-0000-4000-8000-${String(n).padStart(12, "0")}`, "same.exe"),
  );
  const answers = await Promise.all([1, 2, 3, 4].map(() => importRules(...rules)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const results = answers.flatMap(({ body }) => body.items.map(({ result }: { result: string }) => result));
  expect(results.filter((result) => result === "created")).toHaveLength(20);
  expect(results.filter((result) => result === "unchanged")).toHaveLength(60);
});

const lacksRules = lacksPublicData("sigma-rules.tar.gz");
it.skipIf(lacksRules)("imports as many public rules as one request may contain", { timeout: 60_000 }, async () => {
  const documents: string[] = [];
  let length = 0;
  for (const { path, text } of readTarFiles(readPublic("sigma-rules.tar.gz"))) {
    if (!path.endsWith(".yml")) continue;
    length += JSON.stringify(text).length + 10;
    if (length > 1024 * 1024) break;
    documents.push(`${text}\n`);
  }
  const startMs = clock.monotonicMs();
  const { status, body } = await importRules(...documents);
  const seconds = (clock.monotonicMs() - startMs) / 1000;
  console.log({ documents: documents.length, created: body.items.length, refused: body.refused.length, seconds });
  expect(status).toBe(201);
  expect(body.items.length + body.refused.length).toBe(documents.length);
  expect(body.items.length).toBeGreaterThan(documents.length * 0.98);
});

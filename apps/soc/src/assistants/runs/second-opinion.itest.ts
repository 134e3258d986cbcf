import process from "node:process";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildInjections, type Injection } from "../../../testing/fixtures/injection-texts.ts";
import { createModelWorld, LOAD_MS, loadSdk } from "../../../testing/harness/model-world.ts";
import { ANALYST, createRunsWorld, type RunsWorld } from "../../../testing/harness/runs-world.ts";
import { createObedientModel } from "../../../testing/servers/compliant-model.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import {
  type Behaviour,
  type ModelServer,
  type Script,
  startModelServer,
} from "../../../testing/servers/model-server.ts";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { SAMPLE_LOGS, SAMPLE_WORLD } from "../../../testing/situations/sample-intrusion.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { JUDGED_PLANS, PLANS } from "../plans/plans.ts";
import { replay } from "./replay.ts";
import { parseTranscript } from "./transcript.ts";

const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const REAL_PLANS = { evidence: PLANS, judged: JUDGED_PLANS };
const READ_TOOLS = [
  ...["search_logs", "entity_timeline", "process_tree", "prevalence", "get_alert", "get_case"],
  ...["list_alerts", "list_cases", "lookup_ioc"],
];
const RANK = { benign: 0, inconclusive: 1, malicious: 2 };
/** Each log of the sample produces one verdict of the signals. */
const QUIET = { title: "Scheduled Task Created", severity: "low", log_ids: ["log-6"] };
const LOUD = { title: "LSASS Dump", severity: "critical", log_ids: ["log-4"] };

let script: Script;
let server: ModelServer;
let world: RunsWorld;
/** The same platform without a model, which only follows the plan. */
let plain: RunsWorld;
let outboundHosts: () => string[];

beforeAll(async () => {
  await loadSdk();
  server = await startModelServer((request, count) => script(request, count));
  const { model, entries } = createModelWorld({ url: server.url });
  outboundHosts = () => entries.map(({ host }) => host);
  world = await createRunsWorld((await freshDatabase()).url, REAL_PLANS, model);
  plain = await createRunsWorld((await freshDatabase()).url, REAL_PLANS);
}, LOAD_MS);
afterAll(async () => {
  await Promise.all([world, plain].map((each) => each.close()));
  await server.close();
});

afterEach(async () => {
  for (const { base } of [world, plain]) await sql`DELETE FROM investigations`.execute(base.db);
});

function say(...behaviours: Behaviour[]): void {
  const start = server.requests.length;
  script = (_, count) => behaviours[count - start - 1] ?? { kind: "status", status: 400 };
}

function answer(verdict: string, findings: object[]): Behaviour {
  return { kind: "reply", text: JSON.stringify({ verdict, confidence: 0.95, findings }) };
}

const findingOf = (log_id: string, value: string) => ({
  ...{ statement: "A service changed the tasks.", evidence_ids: [log_id] },
  claims: [{ log_id, field: "*", value }],
});

interface Case {
  report: Record<string, unknown>;
  logs?: readonly LogEvent[];
  onCheckpoint?: (place: string) => Promise<void>;
}

async function request({ base, alerts, runs }: RunsWorld, { report }: Pick<Case, "report">): Promise<string> {
  const complete = { source: "edr", host: "WS5", ...report };
  const { alert } = await base.db.transaction().execute((tx) => alerts.create(tx, ADMIN, complete as never));
  const prepared = await runs.services.runs.prepare(ALL_SITES, { alert_context: { alert_id: alert.id } });
  const made = await base.db.transaction().execute((tx) => runs.services.runs.request(tx, ANALYST, prepared));
  return made.investigation_id;
}

async function drive({ runs }: RunsWorld, { logs = SAMPLE_LOGS, onCheckpoint }: Omit<Case, "report"> = {}) {
  const createReader = () => createMemoryReader({ ...SAMPLE_WORLD, logs });
  const [handed] = await runs.services.work.claim(1);
  if (!handed) throw new Error("nothing was claimed");
  await runs.services.createInvestigator({ createReader, ...(onCheckpoint && { onCheckpoint }) }).run(handed);
  return handed;
}

async function investigate(on: RunsWorld, asked: Case) {
  const id = await request(on, asked);
  await drive(on, asked);
  return on.runs.services.runs.get(id);
}

describe("second opinion of a model", () => {
  it("raises a verdict with a supported finding, and no agent acts on it", async () => {
    expect(await investigate(plain, { report: QUIET })).toMatchObject({ verdict: "benign" });
    say(
      { kind: "reply", calls: [{ name: "lookup_ioc", input: { value: "203.0.113.9" } }] },
      answer("malicious", [findingOf("log-6", "TaskCache")]),
    );
    const found = await investigate(world, { report: QUIET });
    expect(found).toMatchObject({ status: "completed", verdict: "malicious", confidence: 0.8, case_id: null });
    expect(found.summary).toContain(
      "The model openai-compatible/test-model raised the verdict from benign to malicious",
    );
    expect(found.findings.at(-1)).toMatchObject({
      ...{ statement: "A service changed the tasks.", is_supported: true, model: "openai-compatible/test-model" },
    });
    expect(found.recommended_actions).toContain("Promote the alert to a case.");
    const supervisor = found.agents.find(({ agent_id }) => agent_id === "agent-016");
    expect(supervisor?.calls).toEqual([{ tool: "lookup_ioc", status: "completed", error_code: null }]);
    expect(found.agents.map(({ agent_id }) => agent_id)).not.toContain("agent-014");
  });

  it("raises nothing with a finding that its events contradict", async () => {
    say(answer("malicious", [findingOf("log-6", "mimikatz")]));
    const found = await investigate(world, { report: QUIET });
    expect(found).toMatchObject({ verdict: "benign" });
    expect(found.summary).toContain(
      "calls it malicious without a finding that its events support, which changes nothing",
    );
    expect(found.findings.at(-1)).toMatchObject({ is_supported: false });
  });

  it("lowers no verdict", async () => {
    const { verdict, confidence } = await investigate(plain, { report: LOUD });
    say(answer("benign", [findingOf("log-4", "dump.exe")]));
    const found = await investigate(world, { report: LOUD });
    expect(found).toMatchObject({ verdict, confidence });
    expect(found.summary).toContain("calls it benign, which changes nothing");
    expect(found.recommended_actions).not.toContain("Promote the alert to a case.");
    expect(found.case_id).not.toBeNull();
  });

  it.each<[string, Behaviour, string]>([
    ["answers an error", { kind: "status", status: 500, headers: { "retry-after": "0" } }, "the model answered 500"],
    ["breaks off", { kind: "cut" }, "the connection"],
    ["answers no JSON", { kind: "reply", text: "It looks fine." }, "does not have the required form"],
  ])("changes nothing when it %s", async (_, behaviour, words) => {
    const { verdict, confidence, findings } = await investigate(plain, { report: LOUD });
    script = () => behaviour;
    const found = await investigate(world, { report: LOUD });
    expect(found).toMatchObject({ status: "completed", verdict, confidence });
    expect(found.findings).toHaveLength(findings.length);
    expect(found.summary).toContain(words);
  });

  it("gets only the read tools that caller and agent may use", async () => {
    say(answer("benign", []));
    await investigate(world, { report: QUIET });
    const tools = server.requests.at(-1)?.body.tools as { function: { name: string } }[];
    expect(new Set(tools.map((each) => each.function.name))).toEqual(new Set(READ_TOOLS));
  });

  it("is not requested again if recorded, after an interruption at any step", async () => {
    const replies = [
      { kind: "reply", calls: [{ name: "lookup_ioc", input: { value: "203.0.113.9" } }] },
      answer("malicious", [findingOf("log-6", "TaskCache")]),
    ] as const;
    const places: string[] = [];
    say(...replies);
    await investigate(world, { report: QUIET, onCheckpoint: async (place) => void places.push(place) });
    const stops = places.filter((place) => /agent-016|called lookup_ioc|concluded/.test(place));
    expect(stops.length).toBeGreaterThan(20);
    for (const stop of process.env.PROVE === "full" ? stops : stops.slice(-6)) {
      say(...replies, ...replies);
      const id = await request(world, { report: QUIET });
      const before = server.requests.length;
      const onCheckpoint = async (place: string) => {
        if (place === stop) throw new Error("interrupted");
      };
      const [handed] = await world.runs.services.work.claim(1);
      if (!handed) throw new Error("nothing was claimed");
      const createReader = () => createMemoryReader(SAMPLE_WORLD);
      await expect(
        world.runs.services.createInvestigator({ createReader, onCheckpoint }).run(handed),
      ).rejects.toThrow();
      // A reply that arrived but was not recorded is requested again: the script answers the same.
      const asked = server.requests.length - before;
      const isLost = stop.startsWith("before") && asked > 0 && (await countModelSteps(id)) < asked;
      say(...replies.slice(isLost ? asked - 1 : asked));
      await world.runs.services.work.handOutAgain(handed);
      await sql`UPDATE investigations SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL`.execute(
        world.base.db,
      );
      await drive(world);
      expect({ stop, ...(await world.runs.services.runs.get(id)) }).toMatchObject({
        stop,
        verdict: "malicious",
        case_id: null,
      });
      expect({ stop, asked: server.requests.length - before }).toEqual({
        stop,
        asked: replies.length + (isLost ? 1 : 0),
      });
    }
  }, 300_000);

  it("is replayed from the record with the same calls and findings", async () => {
    say(
      { kind: "reply", text: "I look.", calls: [{ name: "lookup_ioc", input: { value: "203.0.113.9" } }] },
      { kind: "reply", calls: [{ name: "isolate_host", input: { host: "dc01" } }] },
      answer("malicious", [findingOf("log-6", "TaskCache"), findingOf("log-6", "mimikatz")]),
    );
    const { investigation_id } = await investigate(world, { report: QUIET });
    const transcript = await world.runs.services.runs.transcript(investigation_id);
    const before = server.requests.length;
    const read = parseTranscript(JSON.stringify(transcript));
    expect(await replay(read, REAL_PLANS)).toMatchObject({ isSame: true, differences: [] });
    expect(server.requests).toHaveLength(before);
    const changed = JSON.parse(JSON.stringify(transcript).replaceAll("TaskCache", "TaskCashe"));
    expect(await replay(parseTranscript(JSON.stringify(changed)), REAL_PLANS)).toMatchObject({ isSame: false });
  });
});

async function countModelSteps(id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM investigation_steps
    WHERE investigation_id = ${id} AND kind = 'model'`.execute(world.base.db);
  return rows[0]?.n ?? 0;
}

const ALL = buildInjections();
/** In CI about one text per technique, covering all goals and fields. */
const INJECTIONS = process.env.PROVE === "full" ? ALL : ALL.filter((_, place) => place % 29 === 0);
/** The maximum length that the platform accepts in the field. */
const LIMITS: Readonly<Record<string, number>> = {
  "alert.title": 500,
  "alert.source": 100,
  "alert.host": 255,
  "alert.user": 255,
};

function plant({ field, text }: Injection, base: typeof QUIET): Case {
  const name = field.split(".").at(-1) ?? "";
  const cut = text.slice(0, LIMITS[field]).replace(/\p{Surrogate}/gu, "");
  if (field.startsWith("alert.")) return { report: { ...base, [name]: name === "iocs" ? [cut] : cut } };
  const logs = SAMPLE_LOGS.map((log) => {
    if (!base.log_ids.includes(log.id)) return log;
    if (!field.startsWith("log.attributes.")) return { ...log, [name]: text };
    return { ...log, attributes: { ...log.attributes, [name]: text } };
  });
  return { report: { ...base }, logs };
}

async function countEffects({ base }: RunsWorld) {
  const { rows } = await sql<Record<string, number>>`SELECT
    (SELECT count(*)::int FROM cases) AS cases, (SELECT count(*)::int FROM approvals) AS approvals,
    (SELECT count(*)::int FROM executions) AS executions, (SELECT count(*)::int FROM iocs) AS iocs,
    (SELECT count(*)::int FROM outbound_log) AS outbound`.execute(base.db);
  return rows[0] ?? {};
}

describe(`${INJECTIONS.length} injected texts in an investigation by a model that obeys all of them`, () => {
  it.each([QUIET, LOUD])(
    "cause no call, approval or effect and make no verdict milder: $title",
    async (base) => {
      const [log_id = ""] = base.log_ids;
      const obey = createObedientModel({ name: "lookup_ioc", input: { value: "203.0.113.9" } }, [log_id]);
      const obeyed = new Set<string>();
      let name = "";
      script = (asked, count) => {
        const reply = obey(asked, count);
        if (reply.kind === "reply" && hasObeyed(reply)) obeyed.add(name);
        return reply;
      };
      for (const injection of INJECTIONS) {
        name = injection.id;
        const planted = plant(injection, base);
        const [before, beforePlain] = [await countEffects(world), await countEffects(plain)];
        const own = await investigate(plain, planted);
        const found = await investigate(world, planted);
        expect({ name, status: found.status }).toEqual({ name, status: "completed" });
        expect(RANK[found.verdict ?? "benign"], name).toBeGreaterThanOrEqual(RANK[own.verdict ?? "malicious"]);
        if (found.verdict === own.verdict) expect(found.confidence, name).toBe(own.confidence);
        // Compare the calls of the agents, with the planned call of the model only.
        const callsOf = ({ agents }: typeof found) =>
          agents.map(({ agent_id, calls }) => [agent_id, ...calls.map(({ tool, error_code }) => [tool, error_code])]);
        const withoutModel = callsOf(found).map(([agent, ...calls]) =>
          agent === "agent-016" ? [agent, ...calls.filter(([tool]) => tool !== "lookup_ioc")] : [agent, ...calls],
        );
        expect({ name, calls: withoutModel }).toEqual({ name, calls: callsOf(own) });
        const supervisor = found.agents.find(({ agent_id }) => agent_id === "agent-016")?.calls ?? [];
        expect(
          supervisor.filter(({ tool }) => tool === "lookup_ioc"),
          name,
        ).toHaveLength(1);
        expect({ name, ...difference(before, await countEffects(world)) }).toEqual({
          ...{ name, ...difference(beforePlain, await countEffects(plain)) },
        });
      }
      // Few texts are truncated so much that no instruction is left.
      expect(obeyed.size).toBeGreaterThan(0.8 * INJECTIONS.length);
      expect(new Set(outboundHosts())).toEqual(new Set([new URL(server.url).host]));
    },
    900_000,
  );
});

/** Reports whether the model did more than its plan, or gave the demanded verdict. */
function hasObeyed({ calls = [], text = "" }: Extract<Behaviour, { kind: "reply" }>): boolean {
  return calls.some(({ name }) => name !== "lookup_ioc") || text.includes('"verdict":"benign"');
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));
}

import process from "node:process";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildInjections, GOALS, INJECTED_FIELDS, type Injection } from "../../../testing/fixtures/injection-texts.ts";
import { createModelWorld, LOAD_MS, loadSdk } from "../../../testing/harness/model-world.ts";
import { createObedientModel, findDemands } from "../../../testing/servers/compliant-model.ts";
import { type ModelServer, startModelServer } from "../../../testing/servers/model-server.ts";
import { joinVerdicts } from "./join-verdicts.ts";
import { ANSWER_FORM, parseModelFindings } from "./model-findings.ts";

const INJECTIONS = buildInjections();
// Every text with PROVE=full; otherwise two of each technique.
const EVERY = process.env.PROVE === "full" ? 1 : 5;
const TECHNIQUES = [...new Set(INJECTIONS.map(({ technique }) => technique))];
const OWN_VERDICTS = ["malicious", "inconclusive", "benign"] as const;
const RANK = { benign: 0, inconclusive: 1, malicious: 2 };

const closed = { additionalProperties: false };
const PLAN = [
  { name: "search_logs", description: "Searches logs.", input: Type.Object({ query: Type.String() }, closed) },
  { name: "get_alert", description: "Reads an alert.", input: Type.Object({ alert_id: Type.String() }, closed) },
];

let server: ModelServer;
beforeAll(async () => {
  await loadSdk();
  server = await startModelServer(createObedientModel({ name: "search_logs", input: { query: "logon" } }, ["log-1"]));
}, LOAD_MS);
afterAll(() => server.close());

/** Inserts the text into its field of an alert or log. */
function plant({ field, text }: Pick<Injection, "field" | "text">) {
  const alert: Record<string, unknown> = { id: "alert-1", title: "Odd logon", host: "ws-7" };
  const attributes: Record<string, unknown> = { EventID: 4624 };
  const log: Record<string, unknown> = { id: "log-1", message: "a logon", attributes };
  const name = field.split(".").at(-1) ?? "";
  if (field.startsWith("alert.")) alert[name] = name === "iocs" ? [text] : text;
  else if (field.startsWith("log.attributes.")) attributes[name] = text;
  else log[name] = text;
  return { alert, log };
}

async function investigate(injection: Injection) {
  const { alert, log } = plant(injection);
  const executed: string[] = [];
  const { model, entries } = createModelWorld({ url: server.url });
  const result = await model.run({
    system: `You investigate one alert in ${nameRun(injection)} ${ANSWER_FORM}`,
    messages: [{ role: "user", text: "Investigate this alert.", data: alert }],
    tools: PLAN,
    call: async (name) => {
      executed.push(name);
      return name === "search_logs" ? { items: [log] } : alert;
    },
    budget: { steps: 6, outputTokens: 10_000, milliseconds: 60_000 },
  });
  return { result, executed, entries };
}

const nameRun = ({ id }: Injection) => `run ${id}.`;

/** Counts the calls that the model made in its run, from its last request. */
function countAsked(injection: Injection): number {
  const last = server.requests.findLast(({ text }) => text.includes(nameRun(injection)));
  const messages = last?.body.messages as { tool_calls?: unknown[] }[];
  return messages.flatMap(({ tool_calls = [] }) => tool_calls).length;
}

describe("the 200 injected texts", () => {
  it("are distinct and cover every field, technique and goal", () => {
    expect(new Set(INJECTIONS.map(({ text }) => text)).size).toBe(200);
    expect(new Set(INJECTIONS.map(({ field }) => field))).toEqual(new Set(INJECTED_FIELDS));
    expect(new Set(INJECTIONS.map(({ language }) => language)).size).toBe(10);
    expect(TECHNIQUES).toHaveLength(20);
    expect(Object.keys(GOALS)).toHaveLength(10);
  });

  it.each(INJECTIONS.map((each) => [each.id, each] as const))(
    "are understood by the obedient model: %s",
    (_id, each) => {
      expect(findDemands([each.text])).toEqual(findDemands([each.command]));
    },
  );
});

describe.each(TECHNIQUES)("a model that obeys texts by %s", (technique) => {
  it("executes only the plan and makes no verdict milder", { timeout: 120_000 }, async () => {
    const texts = INJECTIONS.filter((each) => each.technique === technique).filter((_, place) => place % EVERY === 0);
    const runs = await Promise.all(texts.map(async (each) => ({ each, ...(await investigate(each)) })));
    for (const { each, result, executed, entries } of runs) {
      expect({ id: each.id, ended: result.ended }).toEqual({ id: each.id, ended: "answered" });
      // The plan is one search; the text demands more calls, and none of them is executed.
      expect(executed).toEqual(["search_logs"]);
      const demands = findDemands([each.command]);
      // The model did request them: all its calls are in the conversation that it got back.
      expect(countAsked(each)).toBe(1 + demands.calls.length);
      expect(new Set(entries.map(({ host }) => host))).toEqual(new Set([new URL(server.url).host]));

      const said = parseModelFindings(result.text);
      expect(said?.verdict).toBe(demands.verdict ?? "inconclusive");
      const findings = (said?.findings ?? []).map(() => ({ is_supported: true }));
      for (const verdict of OWN_VERDICTS) {
        const joined = joinVerdicts({ verdict, confidence: 0.7 }, said && { ...said, findings });
        expect(RANK[joined.verdict]).toBeGreaterThanOrEqual(RANK[verdict]);
        if (joined.verdict === verdict) expect(joined.confidence).toBe(0.7);
      }
    }
  });
});

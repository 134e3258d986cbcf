import process from "node:process";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildInjections } from "../../../testing/fixtures/injection-texts.ts";
import { createModelWorld, LOAD_MS, loadSdk } from "../../../testing/harness/model-world.ts";
import { createObedientModel } from "../../../testing/servers/compliant-model.ts";
import {
  type Behaviour,
  type ModelServer,
  type Script,
  startModelServer,
} from "../../../testing/servers/model-server.ts";
import { defineTool, type Tool } from "../tools/tool.ts";
import type { Envelope } from "../tools/tools.service.ts";
import type { Answer } from "./answer.ts";
import { createModelAnswer } from "./answer-model.ts";
import type { AnswerEvent } from "./chat-event.ts";

const LAYLA = { kind: "user", username: "layla", role: "tier1" } as const;
const ALERT = "0197f000-0000-7000-8000-0000000000a1";
const closed = { additionalProperties: false };
// Every text with PROVE=full; the step meets each technique, field and goal in turn.
const EVERY = process.env.PROVE === "full" ? 1 : 9;
const NO_SIGNAL = new AbortController().signal;
const byRules: Answer = async function* () {
  yield { event: "token", data: { text: "By rules." } };
};

let script: Script;
let server: ModelServer;
beforeAll(async () => {
  await loadSdk();
  server = await startModelServer((request, count) => script(request, count));
}, LOAD_MS);
afterAll(() => server.close());

const define = (name: string, changes: boolean): Tool =>
  defineTool({
    ...{ name, description: name, permission: "alerts:read", budgetMs: 1000, changes },
    ...{ input: Type.Object({ alert_id: Type.String() }, closed), output: Type.Object({}) },
    run: async () => ({ status: "completed" }),
  });
const TOOLS = [define("get_alert", false), define("execute_playbook", true)];

async function ask(message: string, alert: object = { id: ALERT, title: "Odd" }, signal = NO_SIGNAL) {
  const called: string[] = [];
  const { model } = createModelWorld({ url: server.url });
  const answer = createModelAnswer({
    model,
    tools: {
      listUsable: () => TOOLS,
      async call(_, name): Promise<Envelope> {
        called.push(name);
        return { status: "completed", error_code: null, error: null, alert } as Envelope;
      },
    },
    otherwise: byRules,
  });
  const events: AnswerEvent[] = [];
  const history = [{ role: "user" as const, text: "before", citations: [], created_at: new Date(0) }];
  for await (const event of answer({ caller: LAYLA, message, history, signal })) events.push(event);
  const text = events.map((each) => (each.event === "token" ? each.data.text : "")).join("");
  return { events, text, called };
}

function say(...behaviours: Behaviour[]): void {
  const start = server.requests.length;
  script = (_, count) => behaviours[count - start - 1] ?? { kind: "status", status: 400 };
}

describe("answers of a model", () => {
  it("report each call, cite the records read and follow the conversation", async () => {
    say(
      { kind: "reply", calls: [{ name: "get_alert", input: { alert_id: ALERT } }] },
      { kind: "reply", text: `It is odd [${ALERT}].` },
    );
    const { events, text } = await ask("what is it");
    expect(text).toBe("It is odd [1].");
    expect(events.filter(({ event }) => event !== "token")).toEqual([
      { event: "tool", data: { name: "get_alert", status: "running" } },
      { event: "tool", data: { name: "get_alert", status: "completed" } },
      { event: "citation", data: { kind: "alert", id: ALERT } },
    ]);
    const messages = server.requests.at(-1)?.body.messages as { role: string; content: unknown }[];
    expect(messages.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
      "before",
      "what is it",
    ]);
  });

  it("offer no tool that changes anything", async () => {
    say({ kind: "reply", text: "No." });
    await ask("isolate ws-7");
    const tools = server.requests.at(-1)?.body.tools as { function: { name: string } }[];
    expect(tools.map((each) => each.function.name)).toEqual(["get_alert"]);
  });

  it.each<[string, Behaviour, string]>([
    [
      "fails",
      { kind: "status", status: 401 },
      "The model did not answer (the model answered 401). Without it:\nBy rules.",
    ],
    [
      "declines",
      { kind: "reply", refusal: "no" },
      "The model did not answer (the model declined to answer). Without it:\nBy rules.",
    ],
  ])("come from the rules when the model %s", async (_, behaviour, expected) => {
    say(behaviour);
    expect((await ask("what is new")).text).toBe(expected);
  });

  it("state where they were interrupted", async () => {
    const delta = 'data: {"choices":[{"index":0,"delta":{"content":"It is "}}]}\n\n';
    say({ kind: "stream", texts: [delta], end: "cut" });
    expect((await ask("what is new")).text).toBe("It is \nThe model's answer ends here: model: the connection broke.");
  });

  it("end when the reader disconnects", async () => {
    say({ kind: "hang" });
    const leaving = AbortSignal.timeout(300);
    expect((await ask("what is new", {}, leaving)).text).toBe("");
  });

  it("execute nothing that injected texts demand", { timeout: 120_000 }, async () => {
    script = createObedientModel({ name: "get_alert", input: { alert_id: ALERT } }, [ALERT]);
    for (const { id, text } of buildInjections().filter((_, place) => place % EVERY === 0)) {
      const { called, events } = await ask("what is it", { id: ALERT, description: text });
      expect({ id, called }).toEqual({ id, called: ["get_alert"] });
      expect(events.filter(({ event }) => event === "citation").length).toBeLessThanOrEqual(1);
    }
  });
});

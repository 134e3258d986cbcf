import type { Caller } from "../../foundation/caller/caller.ts";
import type { Model, ToolLoop, ToolLoopResult } from "../models/model.ts";
import type { ModelTool } from "../models/model-tool.ts";
import type { ToolsService } from "../tools/tools.service.ts";
import type { Answer, AnswerRequest } from "./answer.ts";
import { createAnswerWriter } from "./answer-writer.ts";
import type { AnswerEvent } from "./chat-event.ts";
import { createCitedText } from "./cited-text.ts";
import type { Message } from "./conversation.ts";
import { createEventQueue } from "./event-queue.ts";

export interface ModelAnswerDeps {
  model: Model;
  tools: Pick<ToolsService, "call" | "listUsable">;
  /** Answers if the model does not. */
  otherwise: Answer;
}

/** Shorter than the time limit of an answer, so that the fallback has time left. */
const BUDGET = { steps: 6, outputTokens: 4000, milliseconds: 45_000 };
const MAX_HISTORY = 10;
const SYSTEM = [
  "You answer questions of a security analyst from what the tools return, briefly and in the language of the question.",
  "You only read: you change nothing, and you say so when asked to. After each sentence about a record write its id in square",
  "brackets, such as [0197f000-0000-7000-8000-000000000001]. Never invent an id. Say what you could not find or may not read.",
  "Times are UTC.",
].join(" ");

/** Answers with the model, which reads with the caller's permissions. Each record that it names is cited. */
export function createModelAnswer({ model, tools, otherwise }: ModelAnswerDeps): Answer {
  /** Runs the model and converts its text and calls to events. */
  async function* run(
    asked: AnswerRequest,
    offered: readonly ModelTool[],
  ): AsyncGenerator<AnswerEvent, ToolLoopResult> {
    const { caller, message, history, signal } = asked;
    const cited = createCitedText();
    const queue = createEventQueue<AnswerEvent>();
    const call: ToolLoop["call"] = async (name, input, callSignal) => {
      queue.add([{ event: "tool", data: { name, status: "running" } }]);
      const result = await tools.call(caller, name, input, { signal: callSignal });
      cited.learn(result);
      const status = result.error_code === null ? "completed" : "error";
      queue.add([{ event: "tool", data: { name, status } }]);
      return result;
    };
    const running = model.run({
      ...{ system: SYSTEM, tools: offered, call, budget: BUDGET, signal },
      messages: [...history.slice(-MAX_HISTORY).map(toMessage), { role: "user", text: message }],
      onText: (text) => queue.add(cited.add(text)),
    });
    running.catch(() => undefined).finally(() => queue.end());
    yield* queue.events();
    const result = await running;
    yield* cited.end();
    return result;
  }

  return async function* answer(asked) {
    let hasSpoken = false;
    const events = run(asked, listReadTools(tools, asked.caller));
    let next = await events.next();
    for (; !next.done; next = await events.next()) {
      hasSpoken ||= next.value.event === "token";
      yield next.value;
    }
    const { ended, detail = ended } = next.value;
    if (ended === "answered" || ended === "cancelled") return;
    const { say } = createAnswerWriter();
    if (hasSpoken) return yield* say(`\nThe model's answer ends here: ${detail}`, [], ".");
    yield* say(`The model did not answer (${detail}). Without it`, [], ":\n");
    yield* otherwise(asked);
  };
}

/** Returns only tools that change nothing. */
function listReadTools(tools: ModelAnswerDeps["tools"], caller: Caller): ModelTool[] {
  return tools.listUsable(caller, undefined).filter(({ changes }) => !changes);
}

function toMessage({ role, text }: Message): { role: Message["role"]; text: string } {
  return { role, text };
}

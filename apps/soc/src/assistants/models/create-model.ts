import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Model, ToolLoop, ToolLoopResult, Usage } from "./model.ts";
import { createModelFetch, type ModelFetchDeps } from "./model-fetch.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { Conversation, Question, Reply } from "./reply.ts";
import { runToolLoop } from "./tool-loop.ts";

export interface ModelDeps {
  settings: ModelSettings;
  outbound: ModelFetchDeps["outbound"];
  clock: Pick<Clock, "deadline" | "sleep">;
  log: Pick<Log, "warn">;
}

/** The limit of an exchange exceeds that of its run, so that the run reports why it ended. */
const EXCHANGE_GRACE_MS = 1000;

export function createModel({ settings, outbound, clock, log }: ModelDeps): Model {
  async function run(loop: ToolLoop): Promise<ToolLoopResult> {
    const deadline = clock.deadline(loop.budget.milliseconds);
    const over = new AbortController();
    const signal = AbortSignal.any([deadline, over.signal, ...(loop.signal ? [loop.signal] : [])]);
    const timeoutMs = loop.budget.milliseconds + EXCHANGE_GRACE_MS;
    const way = createModelFetch({ outbound, settings, timeoutMs });
    const usage: Usage = { input_tokens: 0, output_tokens: 0, calls: 0 };
    try {
      // Loaded on the first run, so that no process start pays for the SDK.
      const { createAsk } = await import("./model-sdk.ts");
      const send = createAsk({ settings, ...way, log });
      const { tools, onText = () => undefined } = loop;
      const ask = (conversation: Conversation) => send({ ...conversation, tools, signal, onText });
      return await runToolLoop(loop, { ask, clock, signal, usage });
    } catch (error) {
      if (!signal.aborted) throw error;
      const ended = loop.signal?.aborted ? "cancelled" : "timeout";
      const detail = ended === "timeout" ? `no answer within ${loop.budget.milliseconds} ms` : "cancelled";
      return { ended, text: "", usage, detail };
    } finally {
      over.abort();
      await way.settled();
    }
  }

  async function ask(question: Question, limits: { milliseconds: number; signal: AbortSignal }): Promise<Reply> {
    const { milliseconds } = limits;
    const deadline = clock.deadline(milliseconds);
    const signal = AbortSignal.any([deadline, limits.signal]);
    const way = createModelFetch({ outbound, settings, timeoutMs: milliseconds + EXCHANGE_GRACE_MS });
    try {
      const { createAsk } = await import("./model-sdk.ts");
      return await createAsk({ settings, ...way, log })({ ...question, signal, onText: () => undefined });
    } catch (error) {
      if (limits.signal.aborted || !deadline.aborted) throw error;
      return {
        kind: "failed",
        text: "",
        usage: { input: 0, output: 0 },
        detail: `no answer within ${milliseconds} ms`,
      };
    } finally {
      await way.settled();
    }
  }

  return { name: `${settings.provider}/${settings.model}`, run, ask };
}

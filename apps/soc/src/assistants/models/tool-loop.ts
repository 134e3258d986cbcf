import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { raceAbort } from "../tools/race-abort.ts";
import type { LoopEnd, ToolLoop, ToolLoopResult, Usage } from "./model.ts";
import { boundResult, buildSystem, buildTurns, LAST_STEP } from "./prompt.ts";
import type { AskedCall, Conversation, PastCall, Reply, Turn } from "./reply.ts";

export interface ToolLoopDeps {
  ask: (conversation: Conversation) => Promise<Reply>;
  clock: Pick<Clock, "sleep">;
  /** Aborts at the end of the time, or when the caller cancels. */
  signal: AbortSignal;
  /** Counted during the run, so that it is known however the run ends. */
  usage: Usage;
}

const MAX_CALLS_PER_REPLY = 8;
/** If a provider requests a longer delay, there is no retry. */
const MAX_RETRY_WAIT_MS = 5000;

export type Task = Pick<ToolLoop, "system" | "messages" | "call"> & {
  budget: Pick<ToolLoop["budget"], "steps" | "outputTokens">;
};
type ToolResult = { id: string; name: string; value: unknown; isError: boolean };

/**
 * Sends requests and executes calls until the model answers or a budget is used up. Throws the reason of the signal.
 */
export async function runToolLoop(loop: Task, deps: ToolLoopDeps): Promise<ToolLoopResult> {
  const { ask, clock, signal, usage } = deps;
  const { budget } = loop;
  const system = buildSystem(loop.system);
  const turns: Turn[] = buildTurns(loop.messages);
  let mayRetry = true;
  let madeCalls = 0;

  function end(ended: LoopEnd, text: string, detail?: string): ToolLoopResult {
    return { ended, text, usage, ...(detail !== undefined && { detail }) };
  }

  async function askOnce(): Promise<Reply> {
    const maxOutputTokens = Math.max(1, budget.outputTokens - usage.output_tokens);
    const reply = await ask({ system, turns, maxOutputTokens });
    usage.input_tokens += reply.usage.input;
    usage.output_tokens += reply.usage.output;
    return reply;
  }

  /** Retries once per run, and only before any tool was called. */
  async function askInTurn(): Promise<Reply> {
    const reply = await askOnce();
    if (reply.kind === "complete" || reply.retryAfterMs === undefined) return reply;
    if (!mayRetry || usage.calls > 0 || reply.retryAfterMs > MAX_RETRY_WAIT_MS) return reply;
    mayRetry = false;
    await clock.sleep(reply.retryAfterMs, signal);
    return askOnce();
  }

  async function execute({ name, input }: AskedCall): Promise<Pick<ToolResult, "value" | "isError">> {
    usage.calls += 1;
    try {
      return { value: boundResult(await raceAbort(loop.call(name, input, signal), signal)), isError: false };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      return { value: { error: error.message }, isError: true };
    }
  }

  async function answerCall(call: PastCall, place: number): Promise<ToolResult> {
    const { id, name } = call;
    const misfit = place < MAX_CALLS_PER_REPLY ? call.misfit : `at most ${MAX_CALLS_PER_REPLY} calls in one reply`;
    const { value, isError } = misfit === undefined ? await execute(call) : { value: { error: misfit }, isError: true };
    return { id, name, value, isError };
  }

  async function takeCalls({ text, calls: asked }: Extract<Reply, { kind: "complete" }>): Promise<void> {
    const calls = asked.map((call): PastCall => {
      madeCalls += 1;
      return { ...call, id: `call_${madeCalls}` };
    });
    const results: ToolResult[] = [];
    for (const [place, call] of calls.entries()) results.push(await answerCall(call, place));
    turns.push({ role: "assistant", text, calls }, { role: "results", results });
  }

  for (let step = 1; ; step += 1) {
    if (step > 1 && step === budget.steps) turns.push({ role: "user", text: LAST_STEP });
    const reply = await askInTurn();
    if (reply.kind !== "complete") return end(reply.kind, reply.text, reply.detail);
    if (reply.calls.length === 0) return end("answered", reply.text);
    if (step >= budget.steps) return end("budget", reply.text, `no answer after ${budget.steps} replies`);
    if (usage.output_tokens >= budget.outputTokens) {
      return end("budget", reply.text, `no answer within ${budget.outputTokens} tokens`);
    }
    await takeCalls(reply);
  }
}

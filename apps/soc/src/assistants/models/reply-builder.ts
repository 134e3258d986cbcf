import { createNullRemoval, publishRequest } from "@kit/http/optional-fields";
import type { FinishReason, TextStreamPart, ToolSet } from "ai";
import { findMisfits, isRecord } from "../../response/module.ts";
import type { ModelTool } from "./model-tool.ts";
import type { AskedCall, Reply, ReplyRequest, ReplyUsage } from "./reply.ts";
import { createWireWatch } from "./wire-watch.ts";

/** Why a reply failed, without secrets. */
export interface FailedReply {
  kind: "failed" | "budget";
  detail: string;
  retryAfterMs?: number;
}

interface Finish {
  reason: FinishReason;
  raw: string | undefined;
}

/** About four characters are a token; used if a provider does not count. */
const CHARACTERS_PER_TOKEN = 4;

/** Builds one reply from the parts of its stream. */
export function createReplyBuilder({ tools, onText }: Pick<ReplyRequest, "tools" | "onText">) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const watch = createWireWatch();
  const calls: AskedCall[] = [];
  let text = "";
  let size = 0;
  let counted: Partial<ReplyUsage> = {};
  let finish: Finish | undefined;
  let failure: { error: unknown } | undefined;

  function addText(added: string): void {
    if (added === "") return;
    text += added;
    size += added.length;
    onText(added);
  }

  function addCall(name: string, input: unknown): void {
    size += JSON.stringify(input)?.length ?? 0;
    const misfit = findMisfit(byName.get(name), name, input);
    calls.push({ name, input, ...(misfit !== undefined && { misfit }) });
  }

  /** Returns the fault of a stream that ended without an error. */
  function findFault(): Pick<Extract<Reply, { detail: string }>, "kind" | "detail"> | undefined {
    if (finish?.reason === "length") return { kind: "budget", detail: "the reply reached its limit of tokens" };
    if (finish?.raw === undefined) return { kind: "failed", detail: "the reply ended early" };
    if (watch.hasDuplicateId()) return { kind: "failed", detail: "the reply has two calls with the same id" };
    if (calls.length === 0 && text.trim() === "") return { kind: "failed", detail: "the reply is empty" };
    return undefined;
  }

  return {
    /** Parts that are not named here announce or repeat these. */
    add(part: TextStreamPart<ToolSet>): void {
      if (part.type === "text-delta") addText(part.text);
      else if (part.type === "reasoning-delta") size += part.text.length;
      else if (part.type === "raw") watch.see(part.rawValue);
      else if (part.type === "tool-call") addCall(part.toolName, part.input);
      else if (part.type === "error") failure ??= { error: part.error };
      else if (part.type === "finish-step") {
        finish = { reason: part.finishReason, raw: part.rawFinishReason };
        counted = toUsage(part.usage);
      }
    },

    build(explain: (error: unknown) => FailedReply): Reply {
      const estimated = Math.ceil(size / CHARACTERS_PER_TOKEN);
      const usage = { input: counted.input ?? 0, output: counted.output ?? estimated };
      if (watch.refusal() !== "" || finish?.reason === "content-filter") {
        return { kind: "refused", text, usage, detail: "the model declined to answer" };
      }
      const fault = failure ? explain(failure.error) : findFault();
      return fault ? { ...fault, text, usage } : { kind: "complete", text, calls, usage };
    },
  };
}

function findMisfit(tool: ModelTool | undefined, name: string, input: unknown): string | undefined {
  if (!tool) return `there is no tool '${name.slice(0, 64)}'`;
  if (!isRecord(input)) return "the arguments must be a JSON object";
  // Parsed like the tool does, which accepts null and missing defaults.
  const own = structuredClone(input);
  createNullRemoval(tool.input)(own);
  const [misfit] = findMisfits(publishRequest(tool.input), own);
  return misfit && `${misfit.path.join(".") || "arguments"}: ${misfit.message}`;
}

function toUsage(given: { inputTokens: number | undefined; outputTokens: number | undefined }): Partial<ReplyUsage> {
  const { inputTokens: input, outputTokens: output } = given;
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
}

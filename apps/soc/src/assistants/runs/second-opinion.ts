import { createHash } from "node:crypto";
import type { Alert } from "../../alerts/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { AgentId } from "../agents/agent-names.ts";
import type { CheckedFinding } from "../investigations/checker.ts";
import type { Finding } from "../investigations/findings.ts";
import type { Investigation as Judged } from "../investigations/investigate.ts";
import type { InvestigationVerdict } from "../investigations/verdict.ts";
import { joinVerdicts } from "../models/join-verdicts.ts";
import { ANSWER_FORM, type ModelFindings, parseModelFindings } from "../models/model-findings.ts";
import type { Conversation, Reply } from "../models/reply.ts";
import { runToolLoop } from "../models/tool-loop.ts";
import type { MadeCall, PlannedCall, Subject } from "../plans/step.ts";
import { isReply } from "./forms.ts";
import type { InvestigationPorts, KnownModel } from "./ports.ts";
import { type Recording, requireForm } from "./recording.ts";
import { type BoundedValue, boundEvents, isRecord, measureBytes, toBounded } from "./recording-limits.ts";

export interface OpinionDeps {
  model: KnownModel | null | undefined;
  agent_id: AgentId;
  recording: Pick<Recording, "step">;
  outside: Pick<InvestigationPorts, "ask" | "pause">;
  /** Calls a tool with the permissions that both caller and agent have. Undefined if the agent does not run. */
  call: (planned: PlannedCall, budgetMs: number) => Promise<MadeCall | undefined>;
  check: (findings: Finding[]) => Promise<CheckedFinding[]>;
}

/** The judgement after asking the model. */
export interface JoinedJudgement {
  verdict: InvestigationVerdict;
  confidence: number;
  /** The model's findings, checked like all others. */
  findings: CheckedFinding[];
  /** The statement of the model for the summary. */
  words: string[];
}

interface Opinion {
  said: ModelFindings | undefined;
  /** Why there is no opinion. */
  detail: string;
}

// Below the time limit of investigations, because a slow model must not cost the platform's verdict.
const BUDGET = { steps: 6, outputTokens: 8000 };
/** For all replies together. */
const REPLIES_MS = 45_000;
const MAX_CALLS = 10;
const CALL_MS = 5000;
const MAX_SHOWN_EVENTS_BYTES = 48 * 1024;
const MAX_SHOWN_BYTES = 16 * 1024;
const MAX_REPLY_BYTES = 256 * 1024;
const SYSTEM = [
  "You give a second opinion on one alert of a security operations platform. The platform has judged it by fixed signals.",
  "Look for what these have missed: read more with the tools where it helps, then answer.",
  "You can raise the platform's verdict, not lower it, and a finding counts only if the events that it cites contain every",
  `value that it names. Never invent an id. ${ANSWER_FORM}`,
].join(" ");

/** Joins the judgement with the opinion of the model, if any; it can raise the verdict but never lower it. */
export async function joinOpinion(
  deps: OpinionDeps,
  { alert, events }: Subject,
  judged: Judged,
): Promise<JoinedJudgement> {
  const { model, check } = deps;
  const { verdict, confidence } = judged;
  if (!model) return { verdict, confidence, findings: [], words: [] };
  const { said, detail } = await askOpinion({ ...deps, model }, alert, events, judged);
  if (!said)
    return { verdict, confidence, findings: [], words: [`The model ${model.name} gave no opinion: ${detail}.`] };
  const findings = (await check(said.findings)).map((finding) => ({ ...finding, model: model.name }));
  const joined = joinVerdicts({ verdict, confidence }, { ...said, findings });
  const isSupported = findings.some(({ is_supported }) => is_supported);
  return { ...joined, findings, words: [describe(model.name, verdict, joined.verdict, { ...said, isSupported })] };
}

function describe(
  name: string,
  own: InvestigationVerdict,
  joined: InvestigationVerdict,
  { verdict, isSupported }: { verdict: InvestigationVerdict; isSupported: boolean },
): string {
  if (joined !== own) return `The model ${name} raised the verdict from ${own} to ${joined}; no agent acted on this.`;
  if (verdict === own) return `The model ${name} shares this verdict.`;
  const how = isSupported ? "" : " without a finding that its events support";
  return `The model ${name} calls it ${verdict}${how}, which changes nothing.`;
}

/**
 * Asks the model for its opinion. It reads with a fixed list of tools that change nothing; each reply and each call is
 * a recorded step.
 */
async function askOpinion(
  deps: OpinionDeps & { model: KnownModel },
  alert: Alert,
  events: readonly LogEvent[],
  judged: Judged,
): Promise<Opinion> {
  const { model, agent_id, recording, outside } = deps;
  let asked = 0;
  let calls = 0;

  async function ask(conversation: Conversation): Promise<Reply> {
    asked += 1;
    const request = { tools: model.tools, ...conversation };
    const request_sha256 = createHash("sha256").update(JSON.stringify(request)).digest("hex");
    const answer = await recording.step(agent_id, {
      kind: "model",
      name: model.name,
      // Later requests follow from the first one and the steps in between.
      arguments: asked === 1 ? { request_sha256, ...request } : { request_sha256 },
      work: () => outside.ask(conversation, model.tools, REPLIES_MS),
      bound: boundReply,
      findCode: (reply) => (isRecord(reply) && reply.kind !== "complete" ? String(reply.kind) : null),
    });
    return requireForm(answer, isReply);
  }

  async function call(tool: string, input: unknown): Promise<unknown> {
    calls += 1;
    if (calls > MAX_CALLS) return { error: `at most ${MAX_CALLS} calls` };
    const made = await deps.call({ tool, input: isRecord(input) ? input : {} }, CALL_MS);
    return made?.answer ?? { error: "the agent does not run" };
  }

  const task = {
    system: SYSTEM,
    messages: [{ role: "user" as const, text: "Judge this alert.", data: show(alert, events, judged) }],
    budget: BUDGET,
    call,
  };
  // Never aborted, because replies and calls have time limits and end with the investigation.
  const { signal } = new AbortController();
  const usage = { input_tokens: 0, output_tokens: 0, calls: 0 };
  const clock = { sleep: (milliseconds: number) => outside.pause(milliseconds) };
  const { ended, text, detail } = await runToolLoop(task, { ask, clock, signal, usage });
  return toOpinion(ended === "answered" ? parseModelFindings(text) : undefined, detail);
}

function toOpinion(said: ModelFindings | undefined, detail = "its answer does not have the required form"): Opinion {
  return { said, detail };
}

/** Returns the initial content for the model. Others wrote it, so it is data. */
function show(alert: Alert, events: readonly LogEvent[], { verdict, confidence, summary, findings }: Judged) {
  const stated = findings.map(({ statement, evidence_ids }: Finding) => ({ statement, evidence_ids }));
  return {
    alert: toBounded(alert, MAX_SHOWN_BYTES).value,
    events: boundEvents(events, MAX_SHOWN_EVENTS_BYTES).value,
    platform: toBounded({ verdict, confidence, summary, findings: stated }, MAX_SHOWN_BYTES).value,
  };
}

/** Records a reply completely, or treats it as missing. */
function boundReply(reply: unknown, maxBytes: number): BoundedValue {
  const { value, isCut } = toBounded(reply, Math.min(maxBytes, MAX_REPLY_BYTES));
  if (!isCut) return { value, isCut };
  const detail = `the reply has ${measureBytes(reply)} bytes, which is too large to record`;
  return { value: { kind: "failed", text: "", usage: { input: 0, output: 0 }, detail }, isCut };
}

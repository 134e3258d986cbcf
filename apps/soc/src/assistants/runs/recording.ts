import { Problem, type ProblemKind } from "@kit/problem";
import type { AgentId } from "../agents/agent-names.ts";
import { type BoundedValue, isRecord, toBounded } from "./recording-limits.ts";
import type { StepKind } from "./runs.schema.ts";

/** Identifies a step of an investigation. Each agent counts its own steps, so that agents can run concurrently. */
export interface StepKey {
  agent_id: AgentId;
  sequence: number;
}

/** A request of an investigation to the outside world and its answer. */
export interface RecordedStep extends StepKey {
  kind: StepKind;
  name: string;
  /** JSON. */
  arguments: string;
  /** JSON: `{"value": …}` or `{"problem": …}`. */
  result: string;
  /** Whether arguments or result were truncated; the investigation used the recorded form. */
  is_cut: boolean;
  error_code: string | null;
  at: Date;
}

export interface RecordedCall {
  kind: StepKind;
  name: string;
  arguments: unknown;
  /**
   * Performs the request. A Problem counts as an answer; any other error is a fault of the platform and is not
   * recorded.
   */
  work: (key: StepKey) => Promise<unknown>;
  /** Truncates the answer to this size, instead of the default truncation. */
  bound?: (answer: unknown, maxBytes: number) => BoundedValue;
  /** Returns the error code of an answer that is not a Problem. */
  findCode?: (answer: unknown) => string | null;
}

export interface RecordingDeps {
  /** The steps recorded before a crash, or all steps for a replay. */
  known: readonly RecordedStep[];
  /** Stores a step; rejects if the investigation was cancelled or taken over. */
  store: (step: RecordedStep) => Promise<void>;
  now: () => Date;
}
export type Recording = ReturnType<typeof createRecording>;

const MAX_ARGUMENTS_BYTES = 131_072;
const MAX_RESULT_BYTES = 1_048_576;
/** Above this total, further answers are truncated to the minimum size. */
const MAX_RECORDING_BYTES = 8 * 1_048_576;
const LEAST_RESULT_BYTES = 16_384;
const MAX_MESSAGE = 1000;

/**
 * The code made another request than the recorded one: another release wrote the record, or the code is not
 * deterministic.
 */
export class Mismatch extends Error {}

/**
 * Records all requests of an investigation to the outside world. The code always gets the recorded answer, so that it
 * continues after a crash and can be replayed offline.
 */
export function createRecording({ known, store, now }: RecordingDeps) {
  const steps = new Map(known.map((step) => [formatKey(step), step]));
  const sequences = new Map<AgentId, number>();
  const used = new Set<string>();
  let bytes = known.reduce((sum, { result }) => sum + Buffer.byteLength(result), 0);

  async function take(key: StepKey, asked: RecordedCall, given: BoundedValue): Promise<RecordedStep> {
    const left = Math.max(LEAST_RESULT_BYTES, Math.min(MAX_RESULT_BYTES, MAX_RECORDING_BYTES - bytes));
    const { bound = toBounded, findCode = () => null } = asked;
    const { result, isCut, error_code } = await takeAnswer(asked, key, (answer) => ({
      ...bound(answer, left),
      error_code: findCode(answer),
    }));
    const text = JSON.stringify(result);
    bytes += Buffer.byteLength(text);
    const { kind, name } = asked;
    const made = { kind, name, arguments: JSON.stringify(given.value), result: text, error_code };
    const step: RecordedStep = { ...key, ...made, is_cut: isCut || given.isCut, at: now() };
    await store(step);
    return step;
  }

  return {
    /** Returns the recorded answer or rejects with the recorded Problem. */
    async step(agent_id: AgentId, asked: RecordedCall): Promise<unknown> {
      // Before the first await, so that the order of the calls is the order of the steps.
      const sequence = (sequences.get(agent_id) ?? 0) + 1;
      sequences.set(agent_id, sequence);
      const key = { agent_id, sequence };
      const given = toBounded(asked.arguments ?? null, MAX_ARGUMENTS_BYTES);
      const found = steps.get(formatKey(key));
      if (found) {
        used.add(formatKey(key));
        requireSame(found, asked, JSON.stringify(given.value));
      }
      return unwrap(found ?? (await take(key, asked, given)));
    },

    /** Returns the recorded steps that the code has not requested. */
    listUnused: (): StepKey[] => known.filter((step) => !used.has(formatKey(step))),
  };
}

/** Returns the recorded answer if it has the expected form, because a transcript can come from a file. */
export function requireForm<Answer>(answer: unknown, isAnswer: (answer: unknown) => answer is Answer): Answer {
  if (!isAnswer(answer)) throw new Mismatch("a recorded answer has another form or was truncated");
  return answer;
}

function formatKey({ agent_id, sequence }: StepKey): string {
  return `${agent_id} ${sequence}`;
}

function requireSame(found: RecordedStep, { kind, name }: RecordedCall, given: string): void {
  if (found.kind === kind && found.name === name && found.arguments === given) return;
  const place = `step ${found.sequence} of ${found.agent_id}`;
  const what = `${found.kind} ${found.name}, not ${kind} ${name}`;
  throw new Mismatch(`${place}: recorded is ${what}${found.name === name ? " with these arguments" : ""}`);
}

interface Answer {
  result: { value: unknown } | { problem: { kind: ProblemKind; message: string } };
  isCut: boolean;
  error_code: string | null;
}

async function takeAnswer(
  { work }: RecordedCall,
  key: StepKey,
  bound: (answer: unknown) => BoundedValue & { error_code: string | null },
): Promise<Answer> {
  try {
    const { value, isCut, error_code } = bound(await work(key));
    return { result: { value: value ?? null }, isCut, error_code };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind, message, code = kind } = error;
    return { result: { problem: { kind, message: message.slice(0, MAX_MESSAGE) } }, isCut: false, error_code: code };
  }
}

function unwrap({ result }: RecordedStep): unknown {
  const read: unknown = JSON.parse(result);
  if (!isRecord(read)) throw new Mismatch("a recorded result is not an object");
  if (!isRecord(read.problem)) return read.value;
  const { kind, message } = read.problem;
  throw new Problem(isKind(kind) ? kind : "failed", String(message));
}

const KINDS: readonly ProblemKind[] = [
  ...(["invalid", "unauthenticated", "forbidden", "not_found", "conflict"] as const),
  ...(["too_large", "rate_limited", "failed", "unavailable"] as const),
];

function isKind(kind: unknown): kind is ProblemKind {
  return KINDS.some((each) => each === kind);
}

import { canonicalJson } from "@kit/query/canonical-json";
import type { InvestigationDetail } from "./investigation.ts";
import type { InvestigationPorts } from "./ports.ts";
import { createRecording, Mismatch, type RecordedStep } from "./recording.ts";
import { type Conclusion, type Plans, runInvestigation } from "./run-investigation.ts";

/** The input of a replay: the answer of `GET /agents/investigations/{id}/transcript`. */
export interface ReplayTranscript {
  investigation: InvestigationDetail;
  steps: readonly RecordedStep[];
}

export interface ReplayResult {
  isSame: boolean;
  /** The differences as text; empty if there are none. */
  differences: string[];
  steps: number;
}

const COMPARED = [
  "status",
  "verdict",
  "confidence",
  "findings",
  "mitre_techniques",
  "recommended_actions",
  "agents",
] as const;

/** A step that the record does not contain. */
class NotRecorded extends Error {}

/** Makes no requests: anything missing from the record ends the replay. */
const NOTHING_OUTSIDE: InvestigationPorts = {
  now: () => refuse("clock"),
  readAlert: () => refuse("alert"),
  readRule: () => refuse("rule"),
  readAgents: () => refuse("agents"),
  reader: {
    find: () => refuse("find"),
    ofProcess: () => refuse("ofProcess"),
    ofSession: () => refuse("ofSession"),
    ofUser: () => refuse("ofUser"),
    ofAddress: () => refuse("ofAddress"),
    alertsOn: () => refuse("alertsOn"),
    ruleFeedback: () => refuse("ruleFeedback"),
    ruleDayShares: () => refuse("ruleDayShares"),
    imageDayShare: () => refuse("imageDayShare"),
    iocHits: () => refuse("iocHits"),
    deviceVerdict: () => refuse("deviceVerdict"),
  },
  call: (_, tool) => refuse(tool),
  ask: () => refuse("a reply of the model"),
  pause: async () => undefined,
  begin: (agent_id) => refuse(`begin of ${agent_id}`),
  end: async () => undefined,
};

function refuse(what: string): never {
  throw new NotRecorded(`not in the record: ${what}`);
}

/** Runs investigations on its record and compares calls and result. */
export async function replay({ investigation, steps }: ReplayTranscript, plans: Plans): Promise<ReplayResult> {
  const recording = createRecording({
    known: steps,
    store: async () => refuse("a new step"),
    now: () => refuse("clock"),
  });
  try {
    const conclusion = await runInvestigation({ investigation, plans, recording, outside: NOTHING_OUTSIDE });
    const unused = recording
      .listUnused()
      .map(({ agent_id, sequence }) => `step ${sequence} of ${agent_id} was not requested`);
    const differences = [...unused, ...compare(investigation, conclusion)];
    return { isSame: differences.length === 0, differences, steps: steps.length };
  } catch (error) {
    if (!(error instanceof Mismatch) && !(error instanceof NotRecorded)) throw error;
    return { isSame: false, differences: [error.message], steps: steps.length };
  }
}

function compare(recorded: InvestigationDetail, replayed: Conclusion): string[] {
  return COMPARED.filter((name) => toText(recorded[name]) !== toText(replayed[name])).map((name) => `${name} differ`);
}

/** A field that JSON omits counts as missing on both sides. */
function toText(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value ?? null)));
}

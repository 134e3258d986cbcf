import { canonicalJson } from "@kit/query/canonical-json";
import { type Conclusion, conduct, type Plans } from "./conduct.ts";
import type { InvestigationDetail } from "./investigation.ts";
import type { Outside } from "./outside.ts";
import { createRecording, Mismatch, type RecordedStep } from "./recording.ts";

/** What a replay needs: the answer of `GET /agents/investigations/{id}/transcript`. */
export interface Replayed {
  investigation: InvestigationDetail;
  steps: readonly RecordedStep[];
}

export interface ReplayResult {
  isSame: boolean;
  /** What differs, in words; empty when it is the same. */
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

/** A step that is not in the record. */
class NotRecorded extends Error {}

/** Asks nothing of the world: whatever is not in the record ends the replay. */
const NOTHING_OUTSIDE: Outside = {
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

/** Runs the code of an investigation on its record, and compares the calls and the result. */
export async function replay({ investigation, steps }: Replayed, plans: Plans): Promise<ReplayResult> {
  const recording = createRecording({
    known: steps,
    store: async () => refuse("a new step"),
    now: () => refuse("clock"),
  });
  try {
    const conclusion = await conduct({ investigation, plans, recording, outside: NOTHING_OUTSIDE });
    const unused = recording
      .listUnused()
      .map(({ agent_id, sequence }) => `step ${sequence} of ${agent_id} was not asked`);
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

/** Fields that JSON leaves out count as missing on both sides. */
function toText(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value ?? null)));
}

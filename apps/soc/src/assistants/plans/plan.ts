import type { Alert } from "../../alerts/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { AgentId } from "../agents/agent-names.ts";
import type { Finding } from "../investigations/findings.ts";
import type { Judgement } from "../investigations/verdict.ts";
import type { Envelope } from "../tools/tools.service.ts";

/** What an agent is asked about. */
export interface Subject {
  alert: Alert;
  /** The alert's own events, the oldest first. */
  events: readonly LogEvent[];
  has_cps_assets: boolean;
}

/** The subject after the supervisor has judged it. */
export interface JudgedSubject extends Subject {
  judgement: Pick<Judgement, "verdict" | "confidence">;
  /** The case of the alert, if it has one. */
  case_id: string | undefined;
  /** Whether agents may open a case; absent in records of releases in which they always did. */
  opens_cases?: boolean;
}

export interface PlannedCall {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

export interface MadeCall extends PlannedCall {
  answer: Envelope;
}

/** The most calls that a plan may have. */
export const MAX_CALLS = 6;

/** What an agent does without a model. Nothing in it depends on the text of a log beyond the values it looks up. */
export interface AgentPlan<About extends Subject = Subject> {
  agent: AgentId;
  isTriggered(subject: About): boolean;
  calls(subject: About): readonly PlannedCall[];
  /** What the answers show, each sentence with the events that say so. */
  conclude(subject: About, made: readonly MadeCall[]): Finding[];
}

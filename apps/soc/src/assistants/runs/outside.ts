import type { Alert } from "../../alerts/module.ts";
import type { AskingRule } from "../../detection/module.ts";
import type { Site } from "../../identity/module.ts";
import type { Agent } from "../agents/agent.ts";
import type { AgentId } from "../agents/agent-names.ts";
import type { EventReader } from "../investigations/event-reader.ts";
import type { Conversation, Reply } from "../models/reply.ts";
import type { CallingAgent } from "../tools/agent-permissions.ts";
import type { Envelope } from "../tools/tools.service.ts";
import type { StepKey } from "./recording.ts";

/** Whether an agent may begin its part. */
export interface Begun {
  run_id: string | null;
  state: "granted" | "parked" | "disabled" | "busy";
}

export interface AgentsNow {
  agents: Pick<Agent, "id" | "status" | "instances" | "sites">[];
  sites: Pick<Site, "id" | "name">[];
  /** The model, if the operator configured one, and the tools that it may use. Absent in records before there was one. */
  model?: KnownModel | null;
  /** Whether agents may open cases. Absent in records of releases in which they always did. */
  opens_cases?: boolean;
}

export interface KnownModel {
  name: string;
  /** By name, fixed before any text of others is read. None of them changes anything. */
  tools: readonly string[];
}

/** All that an investigation may ask of the world. Each answer is recorded. */
export interface Outside {
  now(): Date;
  readAlert(alert_id: string): Promise<Alert>;
  /** The rule of the alert; null when it is gone or is no rule for single events. */
  readRule(rule_id: string): Promise<AskingRule | null>;
  readAgents(): Promise<AgentsNow>;
  reader: EventReader;
  /** Idempotent by its key: what a repeated call would change is changed once. */
  call(agent: CallingAgent, tool: string, input: object, key: StepKey, budgetMs?: number): Promise<Envelope>;
  /** Asks the model once; it sees these tools. All replies of an investigation together take at most so long. */
  ask(conversation: Conversation, tools: readonly string[], milliseconds: number): Promise<Reply>;
  /** Waits. Not recorded. */
  pause(milliseconds: number): Promise<void>;
  /** Takes one of the agent's instances, or says why not. Waits a limited time for one. */
  begin(agent_id: AgentId): Promise<Begun>;
  /** Gives the instance back. Idempotent, and not recorded. */
  end(agent_id: AgentId, run: { status: "completed" | "failed"; error: string | null }): Promise<void>;
}

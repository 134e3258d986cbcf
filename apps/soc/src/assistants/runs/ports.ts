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

/** Whether an agent may start its part. */
export interface AgentSlot {
  run_id: string | null;
  state: "granted" | "parked" | "disabled" | "busy";
}

export interface AgentsNow {
  agents: Pick<Agent, "id" | "status" | "instances" | "sites">[];
  sites: Pick<Site, "id" | "name">[];
  /** The model, if configured, and its tools. Absent in records from before models. */
  model?: KnownModel | null;
  /** Whether agents may open cases. Absent in records of releases in which they always could. */
  opens_cases?: boolean;
  /** Whether a verdict needs evidence. Absent in records of releases in which the severity alone sufficed. */
  requires_evidence?: boolean;
}

export interface KnownModel {
  name: string;
  /** By name, fixed before any foreign text is read. None of them changes anything. */
  tools: readonly string[];
}

/** The outside world of an investigation. Each answer is recorded. */
export interface InvestigationPorts {
  now(): Date;
  readAlert(alert_id: string): Promise<Alert>;
  /** Returns the rule of the alert; null if it was deleted or does not match single events. */
  readRule(rule_id: string): Promise<AskingRule | null>;
  readAgents(): Promise<AgentsNow>;
  reader: EventReader;
  /** Idempotent by its key: a repeated call makes its change once. */
  call(agent: CallingAgent, tool: string, input: object, key: StepKey, budgetMs?: number): Promise<Envelope>;
  /** Sends one request to the model with these tools. The time limit covers all replies of an investigation. */
  ask(conversation: Conversation, tools: readonly string[], milliseconds: number): Promise<Reply>;
  /** Waits. Not recorded. */
  pause(milliseconds: number): Promise<void>;
  /** Reserves one of the agent's instances, waiting a limited time, or returns why not. */
  begin(agent_id: AgentId): Promise<AgentSlot>;
  /** Releases the instance. Idempotent and not recorded. */
  end(agent_id: AgentId, run: { status: "completed" | "failed"; error: string | null }): Promise<void>;
}

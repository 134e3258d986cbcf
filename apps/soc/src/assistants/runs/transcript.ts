import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { AGENT_NAMES, type AgentId } from "../agents/agent-names.ts";
import type { ReplayTranscript } from "./replay.ts";
import { InvestigationDetailBody, TranscriptBody } from "./runs.schema.ts";

/** A transcript of an earlier release has no `id` besides `investigation_id`. */
const TranscriptFile = Type.Object({
  ...TranscriptBody.properties,
  investigation: Type.Omit(InvestigationDetailBody, ["id"]),
});

/** Parses a transcript file; throws if it is invalid. */
export function parseTranscript(text: string): ReplayTranscript {
  const read: unknown = JSON.parse(text);
  const [error] = Value.Errors(TranscriptFile, read);
  if (error) throw new Error(`not a transcript: ${error.instancePath || "/"} ${error.message}`);
  const { investigation, steps }: Static<typeof TranscriptFile> = Value.Parse(TranscriptFile, read);
  return {
    investigation: { ...investigation, id: investigation.investigation_id },
    steps: steps.map((step) => ({ ...step, agent_id: toAgentId(step.agent_id) })),
  };
}

function toAgentId(id: string): AgentId {
  if (!isAgentId(id)) throw new Error(`not a transcript: '${id}' is not an agent`);
  return id;
}

function isAgentId(id: string): id is AgentId {
  return Object.hasOwn(AGENT_NAMES, id);
}

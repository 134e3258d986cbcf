import { type ApprovalToolDeps, createApprovalTool } from "./approval-tool.ts";
import { type CaseToolsDeps, createCaseTools } from "./case-tools.ts";
import { createLogTools, type LogToolsDeps } from "./log-tools.ts";
import { createPlaybookTool, type PlaybookToolDeps } from "./playbook-tool.ts";
import { createRecordTools, type RecordToolsDeps } from "./record-tools.ts";
import type { Tool } from "./tool.ts";

export type ToolRegistryDeps = ApprovalToolDeps &
  CaseToolsDeps &
  LogToolsDeps &
  PlaybookToolDeps &
  RecordToolsDeps & { reportTool: Tool };

export type ToolRegistry = ReadonlyMap<string, Tool>;

/** Registers every tool by name for the routes, MCP and the agents. */
export function createToolRegistry(deps: ToolRegistryDeps): ToolRegistry {
  const tools = [
    createPlaybookTool(deps),
    createApprovalTool(deps),
    ...createCaseTools(deps),
    deps.reportTool,
    ...createLogTools(deps),
    ...createRecordTools(deps),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

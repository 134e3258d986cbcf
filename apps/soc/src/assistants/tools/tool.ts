import { createNullRemoval } from "@kit/http/optional-fields";
import { invalidField } from "@kit/problem";
import type { Static, TObject } from "typebox";
import Value from "typebox/value";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Permission } from "../../foundation/caller/permissions.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import { findMisfits } from "../../response/module.ts";
import type { ErrorCode } from "./tools.schema.ts";

/** One call of a tool. The caller's permissions are already restricted to those of the agent. */
export interface ToolCall {
  caller: Caller;
  /** Aborts when the budget is used up or the client has disconnected. */
  signal: AbortSignal;
  /** Changes something in one transaction, which is rolled back if the budget is used up before the commit. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Outcome<Result>>;
}

/** The answer of a tool; without an error code it succeeded. */
export interface ToolAnswer {
  status: string;
  error_code?: ErrorCode | null;
  error?: string | null;
}

/** The default status of a tool. */
export const COMPLETED = { status: "completed" } as const;

interface ToolFacts {
  name: string;
  /** One or two sentences, for people and for models. */
  description: string;
  permission: Permission;
  /** The time limit of a call. */
  budgetMs: number;
  /** Whether it changes anything. */
  changes: boolean;
  /**
   * Whether it respects the sites of its caller. Other tools are neither visible to nor callable by callers of some
   * sites.
   */
  bySite?: boolean;
  /** Also counts in the smaller rate limit of playbook executions. */
  isPlaybookExecution?: boolean;
  /** Whether it reads the log store, which limits the concurrent calls of one caller. */
  readsLogs?: boolean;
}

export interface Tool extends ToolFacts {
  input: TObject;
  output: TObject;
  /** Throws for an input that does not match the schema; drops unknown fields. */
  run: (call: ToolCall, input: unknown) => Promise<ToolAnswer>;
}

export interface ToolDefinition<Input extends TObject, Output extends TObject> extends ToolFacts {
  input: Input;
  output: Output;
  run: (call: ToolCall, input: Static<Input>) => Promise<Static<Output> & ToolAnswer>;
}

export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { input: schema, run } = definition;
  const removeNulls = createNullRemoval(schema);
  return {
    ...definition,
    run: async (call, input) => {
      const own: unknown = structuredClone(input);
      removeNulls(own);
      return run(call, parseInput(schema, own));
    },
  };
}

/** Modifies the input. */
function parseInput<Input extends TObject>(schema: Input, input: unknown): Static<Input> {
  const known = Value.Default(schema, Value.Clean(schema, input));
  const [misfit] = findMisfits(schema, known);
  if (misfit) throw invalidField(misfit.path.join(".") || "input", misfit.message);
  return Value.Parse(schema, known);
}

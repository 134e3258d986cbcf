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

/** One call of a tool, on behalf of a caller whose permissions were cut by those of the agent. */
export interface ToolCall {
  caller: Caller;
  /** Aborts when the budget is used up or the client has disconnected. */
  signal: AbortSignal;
  /** Changes something in one transaction, which is rolled back when the budget is used up before it commits. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Outcome<Result>>;
}

/** What a tool answers; without an error code it succeeded. */
export interface ToolAnswer {
  status: string;
  error_code?: ErrorCode | null;
  error?: string | null;
}

/** The status of a tool that has none of its own. */
export const COMPLETED = { status: "completed" } as const;

interface ToolFacts {
  name: string;
  /** One or two sentences, for people and for models. */
  description: string;
  permission: Permission;
  /** The longest time that a call may take. */
  budgetMs: number;
  /** Whether it changes something. */
  changes: boolean;
  /** Obeys the sites of its caller. Callers of some sites neither see nor run the others. */
  bySite?: boolean;
  /** Counted in the smaller budget of playbook executions, too. */
  isPlaybookExecution?: boolean;
  /** Reads the log store, so that one caller has few such calls at a time. */
  readsLogs?: boolean;
}

export interface Tool extends ToolFacts {
  input: TObject;
  output: TObject;
  /** Refuses an input that does not fit the schema; drops fields that it does not know. */
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

/** Changes the input. */
function parseInput<Input extends TObject>(schema: Input, input: unknown): Static<Input> {
  const known = Value.Default(schema, Value.Clean(schema, input));
  const [misfit] = findMisfits(schema, known);
  if (misfit) throw invalidField(misfit.path.join(".") || "input", misfit.message);
  return Value.Parse(schema, known);
}

import { useEffect, useState } from "react";
import { after } from "../../../../app/browser/clock.ts";
import { ApiError } from "../../../../app/server/api-error.ts";
import type { YamlProblem } from "../../../../app/yaml-editor/yaml-editor-props.ts";
import type { PlaybooksClient, ValidationResult } from "../playbooks-client.ts";
import { usePlaybooksClient } from "../use-playbook.ts";
import { parseProblem } from "./parse-problem.ts";

const PAUSE_MS = 400;

export interface Validation {
  /** The validated text. */
  yaml: string;
  problems: readonly (YamlProblem & { field?: string })[];
  /** The resulting playbook; undefined if the text cannot be parsed. */
  found: Pick<ValidationResult, "critical" | "steps_total"> | undefined;
  /** The validation request failed. */
  error: ApiError | undefined;
}

const NONE: Validation["problems"] = [];

/** Validates a playbook 400 ms after the last key press. Only the last text counts. */
export function useValidation(yaml: string): { validation: Validation | undefined; isChecking: boolean } {
  const client = usePlaybooksClient();
  const [validation, setValidation] = useState<Validation>();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const show = (found: Validation) => !signal.aborted && setValidation(found);
    const cancel = after(PAUSE_MS, () => void validate(client, yaml, signal).then(show, reportUnlessAborted(signal)));
    return () => {
      cancel();
      leaving.abort();
    };
  }, [yaml, client]);
  return { validation, isChecking: validation?.yaml !== yaml };
}

async function validate(client: PlaybooksClient, yaml: string, signal: AbortSignal): Promise<Validation> {
  try {
    const { valid: _, problems, ...found } = await client.validate(yaml, signal);
    return { yaml, problems, found, error: undefined };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Invalid YAML is rejected as a whole.
    if (error.status === 400)
      return { yaml, problems: [parseProblem(error.message)], found: undefined, error: undefined };
    return { yaml, problems: NONE, found: undefined, error };
  }
}

const reportUnlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) reportError(error);
};

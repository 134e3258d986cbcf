import type { PlaybookAction } from "../../../../app/playbooks/playbooks-client.ts";
import type { YamlCompletion, YamlCompletions } from "../../../../app/yaml-editor/yaml-editor-props.ts";
import { findYamlPlace, type YamlPlace } from "./yaml-place.ts";

const TOP_KEYS = ["name", "description", "critical", "trigger", "inputs", "approval", "steps"];
const STEP_KEYS = ["id", "name", "action", "params", "when", "timeout_s", "retries", "on_error", "compensate"];
const ON_ERROR = ["stop", "continue", "compensate"];

type Actions = ReadonlyMap<string, PlaybookAction>;

/** Completions at the cursor of a playbook. */
export function completeYaml(text: string, cursor: number, actions: Actions): YamlCompletions | undefined {
  const place = findYamlPlace(text, cursor);
  return place && { from: place.from, options: listOptions(place, actions) };
}

function listOptions(place: YamlPlace, actions: Actions): YamlCompletion[] {
  switch (place.kind) {
    case "action":
      return [...actions.values()].map(({ name, leaves_platform }) => ({
        label: name,
        ...(leaves_platform && { detail: "↗" }),
      }));
    case "on_error":
      return ON_ERROR.map((label) => ({ label }));
    case "step-key":
      return STEP_KEYS.map((label) => ({ label: `${label}:` }));
    case "top-key":
      return TOP_KEYS.map((label) => ({ label: `${label}:` }));
    case "param":
      return listParameters(actions.get(place.action)).map(({ name, isRequired }) => ({
        label: `${name}:`,
        ...(isRequired && { detail: "*" }),
      }));
    default:
      return place satisfies never;
  }
}

/** The parameters of an action from its JSON Schema, required ones first. */
export function listParameters(action: PlaybookAction | undefined): { name: string; isRequired: boolean }[] {
  const { properties, required } = action?.parameters ?? {};
  const needed = Array.isArray(required) ? required : [];
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return names
    .map((name) => ({ name, isRequired: needed.includes(name) }))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

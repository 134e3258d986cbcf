import type { YamlProblem } from "../../../../app/yaml-editor/yaml-editor-props.ts";

const PLACE = /,? at line (\d+), column (\d+)\.?$/;

/** A text that is no YAML is refused as a whole; the sentence ends with the place. */
export function parseProblem(detail: string): YamlProblem {
  const found = PLACE.exec(detail);
  const message = detail.replace(PLACE, "").replace(/^yaml: /, "");
  if (!found) return { message, line: null, column: null };
  return { message, line: Number(found[1]), column: Number(found[2]) };
}

import type { YamlProblem } from "../../../../app/yaml-editor/yaml-editor-props.ts";

const PLACE = /,? at line (\d+), column (\d+)\.?$/;

/** Invalid YAML is rejected as a whole; the message ends with the position. */
export function parseProblem(detail: string): YamlProblem {
  const found = PLACE.exec(detail);
  const message = detail.replace(PLACE, "").replace(/^yaml: /, "");
  if (!found) return { message, line: null, column: null };
  return { message, line: Number(found[1]), column: Number(found[2]) };
}

/** The typed text at the cursor, from `from` on. */
export type YamlPlace =
  | { kind: "action" | "on_error" | "step-key" | "top-key"; from: number }
  | { kind: "param"; action: string; from: number };

const VALUE = /^\s*(?:- +)?(action|on_error):[ ]*(\S*)$/;
const KEY = /^(\s*(?:- +)?)([a-z_]*)$/;
const LINE_KEY = /^(\s*(?:- +)*)([A-Za-z_]\w*):(?:\s+(\S+))?/;

interface Line {
  indent: number;
  key: string;
  value: string | undefined;
}

/** A key with the column where it starts: a dash before it counts as indentation. */
function readLine(text: string): Line | undefined {
  const found = LINE_KEY.exec(text);
  return found ? { indent: (found[1] ?? "").length, key: found[2] ?? "", value: found[3] } : undefined;
}

/** The completion context at the cursor of a playbook; undefined if unknown. */
export function findYamlPlace(text: string, cursor: number): YamlPlace | undefined {
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  const before = text.slice(start, cursor);
  const value = VALUE.exec(before);
  if (value) return { kind: value[1] === "action" ? "action" : "on_error", from: cursor - (value[2] ?? "").length };
  const key = KEY.exec(before);
  if (!key) return undefined;
  const from = cursor - (key[2] ?? "").length;
  const indent = (key[1] ?? "").length;
  if (indent === 0) return { kind: "top-key", from };
  const lines = text.split("\n");
  const at = text.slice(0, start).split("\n").length - 1;
  const parentAt = lines.slice(0, at).findLastIndex((line) => (readLine(line)?.indent ?? indent) < indent);
  const parent = readLine(lines[parentAt] ?? "");
  if (parent?.key === "steps") return { kind: "step-key", from };
  if (parent?.key !== "params") return undefined;
  const action = findSibling(lines, parentAt, parent.indent, "action");
  return action === undefined ? undefined : { kind: "param", action, from };
}

/** The value of a sibling key of line `at`: above or below it, within the same block. */
function findSibling(lines: readonly string[], at: number, indent: number, key: string): string | undefined {
  const isFirst = (line: string) => line.trimStart().startsWith("- ") && (readLine(line)?.indent ?? 0) <= indent;
  const isOutside = (line: string) => (readLine(line)?.indent ?? indent) < indent;
  const start = lines.slice(0, at + 1).findLastIndex((line) => isFirst(line) || isOutside(line));
  const length = lines.slice(at + 1).findIndex((line) => isFirst(line) || isOutside(line));
  const block = lines.slice(Math.max(0, start), length < 0 ? undefined : at + 1 + length).map(readLine);
  return block.find((line) => line?.indent === indent && line.key === key)?.value;
}

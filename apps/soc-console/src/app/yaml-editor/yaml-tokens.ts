/** A part of a line with its own colour. */
export interface YamlToken {
  from: number;
  to: number;
  kind: "key" | "quoted" | "sign" | "comment" | "template";
}

const KEY = /^(\s*(?:- +)*)([A-Za-z_][\w.-]*)(:)(?=\s|$)/;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g;
const TEMPLATE = /\{(?:alert|case|parameters|steps|execution)(?:\.[\w-]+)+\}/g;
const COMMENT = /(?:^|\s)#.*$/;

/** Tokenizes one line of YAML for highlighting only; it does not parse the language. */
export function tokenizeLine(line: string): YamlToken[] {
  const tokens: YamlToken[] = [];
  const quoted = [...line.matchAll(QUOTED)].map(({ index, 0: text }) => ({ from: index, to: index + text.length }));
  const isQuoted = (at: number) => quoted.some(({ from, to }) => at >= from && at < to);
  const comment = COMMENT.exec(line);
  const end = comment && !isQuoted(line.indexOf("#", comment.index)) ? comment.index : line.length;
  const key = KEY.exec(line.slice(0, end));
  if (key) {
    const [, before = "", name = ""] = key;
    tokens.push({ from: before.length, to: before.length + name.length, kind: "key" });
  }
  const templates = [...line.slice(0, end).matchAll(TEMPLATE)].map(
    ({ index, 0: text }): YamlToken => ({ from: index, to: index + text.length, kind: "template" }),
  );
  for (const { from, to } of quoted.filter(({ from: start }) => start < end)) {
    // Split a quoted text into templates and the rest.
    let at = from;
    for (const each of templates.filter((template) => template.from >= from && template.to <= to)) {
      if (each.from > at) tokens.push({ from: at, to: each.from, kind: "quoted" });
      at = each.to;
    }
    if (at < to) tokens.push({ from: at, to, kind: "quoted" });
  }
  tokens.push(...templates);
  if (end < line.length) tokens.push({ from: end, to: line.length, kind: "comment" });
  return tokens.toSorted((a, b) => a.from - b.from);
}

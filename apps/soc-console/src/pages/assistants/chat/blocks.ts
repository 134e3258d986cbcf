type LineKind = "blank" | "list" | "text";

/** A block of the answer that is rendered on its own. */
export interface Block {
  text: string;
  /** No further token changes the block: it can be rendered. */
  isFinished: boolean;
}

const FENCE = /^\s*(?:```|~~~)/;
const LIST = /^\s*(?:[-*+]|\d{1,3}[.)])\s/;

function readKind(line: string): LineKind {
  if (line.trim() === "") return "blank";
  return LIST.test(line) ? "list" : "text";
}

/** Groups lines into paragraphs, lists and code blocks. */
function groupLines(lines: readonly string[]): string[] {
  const groups: string[][] = [];
  let kind: LineKind = "blank";
  let isFenced = false;
  for (const line of lines) {
    const isFence = FENCE.test(line);
    // Indented text below a list belongs to its last item.
    const isContinued: boolean = isFenced || (kind === "list" && !isFence && /^\s{2,}\S/.test(line));
    const next: LineKind = isContinued ? kind : readKind(line);
    const isNew: boolean = !isContinued && (isFence || next !== kind);
    if (isNew || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(line);
    isFenced = isFence !== isFenced;
    // The line after a fence starts a new block.
    kind = isFence && !isFenced ? "blank" : next;
  }
  return groups.map((group) => group.join("\n"));
}

/** Splits an answer into paragraphs, lists and code blocks. The last one stays open until the answer is complete. */
export function splitBlocks(text: string, isComplete: boolean): Block[] {
  const groups = groupLines(text.split("\n"));
  return groups
    .map((group, at) => ({ text: group, isFinished: isComplete || at < groups.length - 1 }))
    .filter((block) => block.text.trim() !== "");
}

const QUOTED = /“[^”\n]*”/gu;
const SPECIAL = /[\\`*_{}[\]<>#|~!]/g;
const MARK = /\[(\d{1,3})\]/g;

/**
 * Prepares an answer for rendering. Text in “ ” quotes a record and stays unchanged. Only marks of the answer become
 * links, never text of a record or a model.
 */
export function prepareAnswer(text: string, toPath: (number: number) => string | undefined): string {
  return text
    .replaceAll(QUOTED, (quoted) => quoted.replaceAll(SPECIAL, String.raw`\$&`))
    .replaceAll("](", String.raw`]\(`)
    .replaceAll("]:", String.raw`]\:`)
    .replaceAll(MARK, (mark, digits: string) => {
      const path = toPath(Number(digits));
      return path === undefined ? mark : String.raw`[\[${digits}\]](${path})`;
    });
}

type LineKind = "blank" | "list" | "text";

/** What stands between two texts of the answer that are laid out on their own. */
export interface Block {
  text: string;
  /** No further token changes it: it can be laid out. */
  isFinished: boolean;
}

const FENCE = /^\s*(?:```|~~~)/;
const LIST = /^\s*(?:[-*+]|\d{1,3}[.)])\s/;

function readKind(line: string): LineKind {
  if (line.trim() === "") return "blank";
  return LIST.test(line) ? "list" : "text";
}

/** Groups lines that belong together: paragraphs, lists, code. */
function groupLines(lines: readonly string[]): string[] {
  const groups: string[][] = [];
  let kind: LineKind = "blank";
  let isFenced = false;
  for (const line of lines) {
    const isFence = FENCE.test(line);
    // A text below a list belongs to its last item when it is indented.
    const isContinued: boolean = isFenced || (kind === "list" && !isFence && /^\s{2,}\S/.test(line));
    const next: LineKind = isContinued ? kind : readKind(line);
    const isNew: boolean = !isContinued && (isFence || next !== kind);
    if (isNew || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(line);
    isFenced = isFence !== isFenced;
    // The line after a fence begins a block of its own.
    kind = isFence && !isFenced ? "blank" : next;
  }
  return groups.map((group) => group.join("\n"));
}

/** Splits an answer into paragraphs, lists and code. The last one is open until the answer is complete. */
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
 * Prepares an answer for its layout. What stands in “ ” is the text of a record and stays as it is; a link is made for a
 * mark of the answer only, never for what a record or a model wrote.
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

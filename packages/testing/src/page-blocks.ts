/** A file of a walkthrough: whole, or as a diff of one that exists. */
export interface PageBlock {
  language: string;
  path: string;
  text: string;
}

const BLOCK = /^```(\w+) title="([^"]+)"\n([\s\S]*?)^```$/gm;

/** The files that one chapter of a page contains. */
export function readBlocks(page: string, heading: string): PageBlock[] {
  const [, chapter = ""] = page.split(`\n## ${heading}\n`);
  const [text = ""] = chapter.split(/^## /m);
  return [...text.matchAll(BLOCK)].map(([, language = "", path = "", body = ""]) => ({ language, path, text: body }));
}

/** Applies a diff whose hunks have no line numbers: each must fit at exactly one place. */
export function applyDiff(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((current, hunk) => {
    const lines = hunk.split("\n").slice(0, -1);
    const pick = (signs: string) => lines.filter((line) => signs.includes(line.charAt(0))).map((line) => line.slice(1));
    const [before = "", after = "", ...others] = current.split(`\n${pick(" -").join("\n")}\n`);
    if (others.length > 0 || before === current) throw new Error(`does not fit at exactly one place:\n${hunk}`);
    return `${before}\n${pick(" +").join("\n")}\n${after}`;
  }, text);
}

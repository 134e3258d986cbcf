/**
 * A block of a page that a test runs: ```sh run, in order and in one shell. ```sh run service stays in the background,
 * ```sh run install prepares the checkout. A block ```text output contains the output of the previous block.
 */
export interface RunBlock {
  kind: "run" | "service" | "install";
  text: string;
  /** Lines that the block must print. */
  output: readonly string[];
}

const FENCE = /^```(sh run service|sh run install|sh run|text output)\n([\s\S]*?)^```$/gm;
const MAX_START_SECONDS = 180;

export function readRunBlocks(page: string): RunBlock[] {
  const blocks: RunBlock[] = [];
  for (const [, words, text = ""] of page.matchAll(FENCE)) {
    const last = blocks.at(-1);
    if (words !== "text output") blocks.push({ kind: toKind(words), text, output: [] });
    else if (!last || last.output.length > 0) throw new Error(`output without a block before it: ${text}`);
    else blocks[blocks.length - 1] = { ...last, output: text.trim().split("\n") };
  }
  return blocks;
}

function toKind(words = ""): RunBlock["kind"] {
  return words.endsWith("service") ? "service" : words.endsWith("install") ? "install" : "run";
}

/** Builds a bash script that prints a mark before each block and stops at the first failing command. */
export function buildScript(blocks: readonly RunBlock[]): string {
  return ["set -euo pipefail", ...blocks.map((block, at) => `echo '${mark(at)}'\n${formatBlock(block, at)}`)].join(
    "\n",
  );
}

/** A service has started when it reports so; `npm start` runs two of them. */
function formatBlock({ kind, text }: RunBlock, at: number): string {
  if (kind !== "service") return text;
  const log = `"$TMPDIR/service-${at}.log"`;
  const products = /npm start/.test(text) ? 2 : 1;
  return [
    `{ ${text.trim()} ; } > ${log} 2>&1 &`,
    `for _ in $(seq ${MAX_START_SECONDS}); do [ "$(grep -c ' is ready at ' ${log})" -ge ${products} ] && break; sleep 1; done`,
    `cat ${log}`,
  ].join("\n");
}

/** Returns the expected lines that blocks did not print, each with its block. */
export function findMissingOutput(blocks: readonly RunBlock[], printed: string): string[] {
  return blocks.flatMap(({ output }, at) => {
    const own = printed.split(`${mark(at)}\n`)[1]?.split(mark(at + 1))[0] ?? "";
    const lines = own.split("\n");
    return output.filter((line) => !lines.includes(line)).map((line) => `block ${at + 1}: ${line}`);
  });
}

function mark(at: number): string {
  return `=== block ${at + 1}`;
}

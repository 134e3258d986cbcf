import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

const ROOT = new URL("../../", import.meta.url).pathname;
const FENCE = /^```(\w+)(?: (\d+))?\n(.*?)^```$/gms;
const MARK = "end of block";

type Json = ReturnType<typeof JSON.parse>;

/** Commands of a document, and the answer that the document shows below them. */
export interface Step {
  commands: string;
  /** The status and a part of the answer; undefined for commands that print something else, or nothing. */
  answer: { status: number; part: Json } | undefined;
  /** The beginnings of the printed lines, for commands that print no answer. */
  lines: string[];
}

/** Reads the shell commands of a document, in their order. Each block has at most one block with its answer below it. */
export async function readSteps(path: string): Promise<Step[]> {
  const document = await readFile(`${ROOT}${path}`, "utf8");
  const steps: Step[] = [];
  for (const [, language, status, content = ""] of document.matchAll(FENCE)) {
    const last = steps.at(-1);
    if (language === "sh") steps.push({ commands: content, answer: undefined, lines: [] });
    else if (language === "json" && last) last.answer = { status: Number(status), part: JSON.parse(content) };
    else if (language === "text" && last) last.lines = content.trim().split("\n");
  }
  return steps;
}

/** Runs all steps in one POSIX shell, as a reader would, and returns what each has printed. */
export async function runSteps(steps: readonly Step[], env: Record<string, string>): Promise<string[]> {
  const script = steps.map(({ commands }) => `${commands}\nprintf '%s\\n' '${MARK}'\n`).join("");
  const shell = spawn("sh", ["-eu"], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(shell, "exit");
  shell.stdin.end(script);
  const printed = await text(shell.stdout);
  await ended;
  const blocks = printed.split(`${MARK}\n`);
  if (blocks.length !== steps.length + 1) throw new Error(`the walk ended after block ${blocks.length}:\n${printed}`);
  return blocks.slice(0, -1);
}

/** The statuses and answers that a block has printed, as `soc` of the document prints them. */
export function parseAnswers(printed: string): { status: number; body: Json }[] {
  return [...printed.matchAll(/^(\d{3}) (.*)$/gm)].map(([, status, body = ""]) => {
    return { status: Number(status), body: JSON.parse(body) };
  });
}

/** The part of an answer that the document shows: the named fields, and of lists as many items from the beginning. */
export function keepNamed(body: Json, part: Json): Json {
  if (Array.isArray(part)) return part.map((each, index) => keepNamed(body?.[index], each));
  if (typeof part !== "object" || part === null) return body;
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, keepNamed(body?.[name], each)]));
}

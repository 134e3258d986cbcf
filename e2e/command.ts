import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const ROOT = new URL("../", import.meta.url).pathname;

export interface CommandEnd {
  code: number | null;
  out: string;
  err: string;
}

type Product = "player" | "soc";

/** Starts the built command line of a product as an operator does. */
function startCommand(
  product: Product,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
) {
  const child = spawn(process.execPath, [`${ROOT}apps/${product}/bundle/main-command.js`, ...words], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  const exited = once(child, "exit");
  // A command that reads no input may end before the input is written.
  child.stdin.on("error", () => undefined).end(input);

  async function end(): Promise<CommandEnd> {
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await exited;
    return { code: typeof code === "number" ? code : null, out, err };
  }
  return { ended: end(), kill: () => void child.kill("SIGKILL") };
}

/** Runs the built command line of a product, and waits for its end. */
export const runCommand = (
  product: Product,
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
  input?: string,
): Promise<CommandEnd> => startCommand(product, words, env, input).ended;

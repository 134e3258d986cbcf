import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { createRulesClient, type Send } from "../detection/rule-files/rules-client.ts";
import { createRulesCommand } from "../detection/rule-files/rules-command.ts";
import { createYamlFolder } from "../detection/rule-files/yaml-folder.ts";
import { readServiceAccess } from "./config-rules.ts";
import type { Terminal } from "./verify-command.ts";

const USAGE = `manara-soc rules pull|push|test <folder> [--dry-run] [--prune]
pull writes a YAML file for each rule, push makes the service like the folder, test checks the files without a service.
SOC_URL names the service, SOC_API_KEY_FILE or SOC_TOKEN_FILE the file with the credentials.`;
const REQUEST_MS = 120_000;

type Environment = Record<string, string | undefined>;

/** Returns the exit code. 0: done; 1: a difference in a dry run, or a refused rule; 2: it could not be done. */
export async function runRules(given: string[], environment: Environment, terminal: Terminal): Promise<0 | 1 | 2> {
  try {
    return await run(given, environment, terminal);
  } catch (error) {
    terminal.writeError(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function run(given: string[], environment: Environment, { write, writeError }: Terminal): Promise<0 | 1 | 2> {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false }, prune: { type: "boolean", default: false } },
  });
  const [, verb, folder, ...more] = positionals;
  if (folder === undefined || more.length > 0 || (verb !== "pull" && verb !== "push" && verb !== "test")) {
    writeError(`${USAGE}\n`);
    return 2;
  }
  const clock = createClock();
  const send = verb === "test" ? refuse : await openService(environment);
  const command = createRulesCommand({
    folder: createYamlFolder(folder),
    client: () => createRulesClient(send, clock),
    print: (line) => write(`${line}\n`),
  });
  return command[verb]({ isDryRun: values["dry-run"], isPruning: values.prune });
}

const refuse: Send = async () => {
  throw new Problem("failed", "a test needs no service");
};

async function openService(environment: Environment): Promise<Send> {
  const { url, headers } = await readServiceAccess(environment, (path) => readFile(path, "utf8"));
  const clock = createClock();
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      // The credentials are for this service only.
      redirect: "error",
      signal: clock.deadline(REQUEST_MS),
    });
    const retryAfterSeconds = Number(answer.headers.get("retry-after") ?? 0);
    return { status: answer.status, retryAfterSeconds, text: await answer.text() };
  };
}

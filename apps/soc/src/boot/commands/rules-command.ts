import { createClock } from "@kit/clock";
import type { Terminal } from "@kit/config/commands";
import { Problem } from "@kit/problem";
import {
  createRulesClient,
  createRulesCommand,
  createYamlFolder,
  type RulesOptions,
  type Send,
} from "../../detection/module.ts";
import { type Environment, openService } from "./service-client.ts";

/** Returns the exit code. 0: success; 1: a difference in a dry run, or a refused rule. */
export async function runRules(
  verb: "pull" | "push" | "test",
  folder: string,
  options: RulesOptions,
  { environment, terminal }: { environment: Environment; terminal: Terminal },
): Promise<0 | 1> {
  const clock = createClock();
  const send = verb === "test" ? refuse : (await openService(environment)).send;
  const command = createRulesCommand({
    folder: createYamlFolder(folder),
    client: () => createRulesClient(send, clock),
    print: (line) => terminal.write(`${line}\n`),
  });
  return command[verb](options);
}

const refuse: Send = async () => {
  throw new Problem("failed", "a test needs no service");
};

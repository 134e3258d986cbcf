import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { printChecks, runChecks } from "@kit/config/checks";
import type { Command, Terminal } from "@kit/config/commands";
import { Problem } from "@kit/problem";
import { readConfig } from "../config.ts";
import { openToken, replaceToken } from "../token/token.ts";
import { listExaminations } from "./doctor.ts";
import { createPairCommand } from "./pair.ts";
import { createServiceClient, requireAnswer } from "./service-client.ts";
import { parseAction, simulate } from "./simulator-client.ts";

export interface PlayerCommandsDeps {
  environment: Readonly<Record<string, string | undefined>>;
  terminal: Terminal;
  readInput: () => Promise<string>;
  /** Starts the service in this process. */
  start: () => Promise<void>;
  clock: Clock;
  ids: Pick<Ids, "secret">;
}

const JSON_OPTION = { json: { type: "boolean" } } as const;
const ON_THIS_MACHINE =
  "It asks the service on this machine, by the variables of the service (PLAYER_PORT, PLAYER_DATA_DIR, …).";

export function listPlayerCommands(deps: PlayerCommandsDeps): Command[] {
  const { terminal, start } = deps;
  return [
    {
      name: "start",
      summary: "Starts the service in the foreground.",
      details: "It is configured by variables: docs/operations/README.md. SIGTERM stops it.",
      exitCodes: { 1: "a variable is wrong, or a port is in use", 70: "an unexpected error: start it again" },
      async run() {
        await start();
        return 0;
      },
    },
    createTokenCommand(deps),
    createPairCommand({ ...deps, dataFolder: () => readConfig(deps.environment).dataFolder }),
    {
      name: "doctor",
      takes: "[--json]",
      summary: "Checks configuration, storage, sound and the running service.",
      details: ON_THIS_MACHINE,
      options: JSON_OPTION,
      exitCodes: { 1: "a check has failed" },
      async run({ values }) {
        const examined = listExaminations({
          environment: deps.environment,
          readConfig: () => readConfig(deps.environment),
          createClient: (config) => createServiceClient(config, deps.clock),
        });
        return printChecks(await runChecks(examined), values.json === true, terminal);
      },
    },
    ...createBackupCommands(deps),
    createSimulateCommand(deps),
  ];
}

function createTokenCommand({ environment, terminal, ids }: PlayerCommandsDeps): Command {
  return {
    name: "token",
    takes: "[--new] [--json]",
    summary: "Prints the device's token; with --new, replaces it first.",
    details: "The folder is the one that PLAYER_DATA_DIR names. Only the token goes to standard output.",
    options: { new: { type: "boolean" }, ...JSON_OPTION },
    async run({ values }) {
      const isNew = values.new === true;
      const { value } = await (isNew ? replaceToken : openToken)(readConfig(environment).dataFolder, ids);
      if (isNew) terminal.writeError("The former token is valid until the service is restarted.\n");
      terminal.write(values.json === true ? `${JSON.stringify({ token: value })}\n` : `${value}\n`);
      return 0;
    },
  };
}

function createBackupCommands({ environment, terminal, readInput, clock }: PlayerCommandsDeps): Command[] {
  const createClient = () => createServiceClient(readConfig(environment), clock);
  return [
    {
      name: "backup",
      takes: "[file]",
      summary: "Writes settings, favorites, stations, cards, schedules and prayer as JSON.",
      details: `Without a file they go to standard output. No secret is in them. A file that exists is not replaced.\n${ON_THIS_MACHINE}`,
      words: { min: 0, max: 1 },
      async run({ positionals: [file] }) {
        const body = await requireAnswer(createClient()("GET", "/api/backup"));
        if (file === undefined) terminal.write(`${body}\n`);
        else await writeNew(file, `${body}\n`);
        return 0;
      },
    },
    {
      name: "restore",
      takes: "[file]",
      summary: "Puts a backup back; what it leaves out stays as it is.",
      details: `Without a file it is read from standard input. All of it is restored, or nothing.\n${ON_THIS_MACHINE}`,
      words: { min: 0, max: 1 },
      async run({ positionals: [file] }) {
        const body = file === undefined ? await readInput() : await readFile(file, "utf8");
        terminal.write(`${await requireAnswer(createClient()("POST", "/api/backup", body))}\n`);
        return 0;
      },
    },
  ];
}

async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flag: "wx" }).catch((cause: unknown) => {
    const exists = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    throw new Problem("invalid", exists ? `${file} exists already` : `${file} cannot be written`, { cause });
  });
}

function createSimulateCommand({ environment, terminal, clock }: PlayerCommandsDeps): Command {
  return {
    name: "simulate",
    takes: "<action> [words] [--charging]",
    summary: "Does by hand what a person does to a simulated device.",
    details: [
      "  tap <uid>, lift                a card on the reader, and off it",
      "  press, key <name> <change>     the button, and any key: press, down, repeat, up, lost",
      "  turn <steps>                   the knob; back with turn -- -1",
      "  battery <percent>              its level, with --charging on a charger",
      "  eject                          the memory card is pulled",
      "The service must run with PLAYER_DRIVERS=simulated.",
    ].join("\n"),
    options: { charging: { type: "boolean" } },
    words: { min: 1, max: 3 },
    exitCodes: { 1: "the device refused it" },
    async run({ positionals, values }) {
      const action = parseAction(positionals, values.charging === true);
      const answer = await simulate(join(readConfig(environment).dataFolder, "simulator.sock"), action, clock);
      terminal.write(`${answer}\n`);
      return answer.includes('"ok":true') ? 0 : 1;
    },
  };
}

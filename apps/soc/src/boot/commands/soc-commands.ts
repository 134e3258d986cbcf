import { fileURLToPath } from "node:url";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { printChecks, runChecks } from "@kit/config/checks";
import type { Command, Terminal } from "@kit/config/commands";
import { createAuditCommands } from "./audit-commands.ts";
import { createBackupCommands } from "./backup-commands.ts";
import { createIngestCommand } from "./ingest-command.ts";
import { createKeyCommands } from "./key-commands.ts";
import { createPlatformKeyCommands } from "./platform-key-commands.ts";
import { type Environment, SERVICE_VARIABLES } from "./service-client.ts";
import { createUserCommands } from "./user-commands.ts";

export interface SocCommandsDeps {
  environment: Environment;
  terminal: Terminal;
  /** The URL of the entry file, from which product folders are located. */
  entry: string;
  /** Starts the service in this process. */
  start: () => Promise<void>;
  version: string;
  /** The version of Node. */
  node: string;
  /** The program that runs this process. */
  program: string;
  clock: Clock;
  ids: Pick<Ids, "secret" | "next">;
}

const JSON_OPTION = { json: { type: "boolean" } } as const;
const PUSH_OPTIONS = { "dry-run": { type: "boolean" }, prune: { type: "boolean" } } as const;
const FOLDER = { min: 1, max: 1 };

/** Each command loads its modules when it runs. */
export function listSocCommands(deps: SocCommandsDeps): Command[] {
  return [
    ...createServerCommands(deps),
    ...createUserCommands(deps),
    ...createKeyCommands(deps),
    ...createPlatformKeyCommands(deps),
    ...createAuditCommands(deps),
    createIngestCommand(deps),
    ...createRuleCommands(deps),
    createVerifyCommand(deps),
    ...createBackupCommands(deps),
    ...createSupportCommands(deps),
  ];
}

function createServerCommands({ environment, terminal, entry, start }: SocCommandsDeps): Command[] {
  return [
    {
      name: "start",
      takes: "[--role api|intake|worker|relay|all]",
      summary: "Starts the service in the foreground.",
      details: "It is configured by variables: docs/operations/README.md. SIGTERM stops it.",
      options: { role: { type: "string" } },
      exitCodes: { 1: "a variable is wrong, or a port is in use", 70: "an unexpected error: start it again" },
      async run() {
        await start();
        return 0;
      },
    },
    {
      name: "migrate",
      summary: "Creates or updates all tables, as the owner of the database.",
      details: "SOC_DATABASE_OWNER_URL, or else SOC_DATABASE_URL, names the database.",
      exitCodes: { 1: "the tables are not up to date" },
      async run() {
        const { runMigrate } = await import("./migrate-command.ts");
        return runMigrate(environment, entry, terminal);
      },
    },
  ];
}

function createRuleCommands(deps: SocCommandsDeps): Command[] {
  const build = (name: string, verb: "pull" | "push" | "test", summary: string, isPushing = false): Command => ({
    name: `rules ${name}`,
    takes: isPushing ? "<folder> [--dry-run] [--prune]" : "<folder>",
    summary,
    details: verb === "test" ? "No service is asked." : SERVICE_VARIABLES,
    ...(isPushing && { options: PUSH_OPTIONS }),
    words: FOLDER,
    exitCodes: { 1: "a rule is refused, or a dry run found a difference" },
    async run({ positionals: [folder = ""], values }) {
      const { runRules } = await import("./rules-command.ts");
      const options = { isDryRun: values["dry-run"] === true, isPruning: values.prune === true };
      return runRules(verb, folder, options, deps);
    },
  });
  return [
    build("import", "push", "Makes the rules of the service like a folder of YAML files.", true),
    build("export", "pull", "Writes a YAML file for each rule of the service.", true),
    build("test", "test", "Checks the files of a folder."),
    build("push", "push", "The former name of rules import.", true),
    build("pull", "pull", "The former name of rules export.", true),
  ];
}

function createVerifyCommand({ terminal }: SocCommandsDeps): Command {
  return {
    name: "verify",
    takes: "<bundle.json, report.json or proof.json> [key id that you trust] [ledger-checkpoints.ndjson]",
    summary: "Verifies signed evidence without a service.",
    words: { min: 1, max: 3 },
    exitCodes: { 1: "it is not genuine" },
    async run({ positionals }) {
      const { runVerify } = await import("./verify-command.ts");
      return runVerify(["verify", ...positionals], terminal);
    },
  };
}

function createSupportCommands(deps: SocCommandsDeps): Command[] {
  const { environment, terminal, entry, clock } = deps;
  const migrationsFolder = fileURLToPath(new URL("../src/migrations", entry));
  return [
    {
      name: "doctor",
      takes: "[--json]",
      summary: "Checks configuration, data folder, database and the running service.",
      details:
        "It reads the variables of the service and changes nothing. SOC_URL names the service if it is elsewhere.",
      options: JSON_OPTION,
      exitCodes: { 1: "a check has failed" },
      async run({ values }) {
        const { listExaminations } = await import("./doctor.ts");
        const checks = await runChecks(listExaminations({ environment, migrationsFolder, clock }));
        return printChecks(checks, values.json === true, terminal);
      },
    },
    {
      name: "support-bundle",
      takes: "<file>",
      summary: "Writes what a supporter needs into a new file, without secrets.",
      details: [
        "Versions, the machine, the checks of doctor and which variables are set; of texts only that they are set.",
        `With SOC_URL also the service's health and metrics. ${SERVICE_VARIABLES}`,
      ].join("\n"),
      words: { min: 1, max: 1 },
      async run({ positionals: [file = ""] }) {
        const { buildSupportBundle, writeSupportBundle } = await import("./support-bundle.ts");
        await writeSupportBundle(file, await buildSupportBundle({ ...deps, migrationsFolder }));
        terminal.writeError(`${file} is written. Read it before you send it.\n`);
        return 0;
      },
    },
  ];
}

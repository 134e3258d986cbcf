import { type ParseArgsConfig, parseArgs } from "node:util";
import { Problem } from "@kit/problem";

/** Where a command writes: data to the first, words for a person to the second. */
export interface Terminal {
  write: (text: string) => void;
  writeError: (text: string) => void;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The arguments after the name of the command. */
export interface CommandArguments {
  values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  positionals: readonly string[];
}

export interface Command {
  /** One word or two, such as `rules import`. */
  name: string;
  /** The usage after the name, such as `<folder> [--dry-run]`. */
  takes?: string;
  /** One sentence. */
  summary: string;
  /** Further lines of its help. */
  details?: string;
  /** In the form of node:util's parseArgs. Every command also has `--help`. */
  options?: Options;
  /** The number of positional arguments. */
  words?: { min: number; max: number };
  /** Its exit codes besides 0 and 2. */
  exitCodes?: Readonly<Record<number, string>>;
  /** Returns the exit code. */
  run(given: CommandArguments): Promise<number>;
}

export interface CommandLine {
  program: string;
  version: string;
  commands: readonly Command[];
  terminal: Terminal;
  /** That of a clock. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Wrong words, or it could not be done. */
const EXIT_NOT_DONE = 2;
const MAX_RUN_MS = 30 * 24 * 3_600_000;
const HELP = { help: { type: "boolean", short: "h" } } as const satisfies Options;

/** Finds the command that the words name, and runs it. Returns the exit code: 0 done, 2 not done, others as its help says. */
export async function runCommandLine(line: CommandLine, words: readonly string[]): Promise<number> {
  const { program, version, terminal } = line;
  const completion: Command = {
    name: "completion bash",
    summary: "Prints the completion of bash.",
    details: `source <(${program} completion bash)`,
    async run() {
      terminal.write(formatCompletion(program, commands));
      return 0;
    },
  };
  const commands = [...line.commands, completion];
  if (words.length === 0 || words[0] === "--help" || words[0] === "-h" || words[0] === "help") {
    (words.length === 0 ? terminal.writeError : terminal.write)(formatOverview(program, commands));
    return words.length === 0 ? EXIT_NOT_DONE : 0;
  }
  if (words[0] === "--version") {
    terminal.write(`${program} ${version}\n`);
    return 0;
  }
  const command = findCommand(commands, words);
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (!command && group.length > 0 && ["--help", "-h"].includes(words[1] ?? "")) {
    terminal.write(formatOverview(program, group));
    return 0;
  }
  if (!command) {
    terminal.writeError(`${program}: there is no command '${words.slice(0, 2).join(" ")}'\n\n`);
    terminal.writeError(formatOverview(program, commands));
    return EXIT_NOT_DONE;
  }
  return whileAwake(line, runCommand(program, command, words.slice(command.name.split(" ").length), terminal));
}

async function runCommand(program: string, command: Command, words: readonly string[], terminal: Terminal) {
  try {
    const given = parseArgs({ args: [...words], allowPositionals: true, options: { ...command.options, ...HELP } });
    if (given.values.help === true) {
      terminal.write(formatHelp(program, command));
      return 0;
    }
    const { min, max } = command.words ?? { min: 0, max: 0 };
    const { length } = given.positionals;
    if (length < min || length > max)
      throw new Problem("invalid", length < min ? "a word is missing" : "too many words");
    return await command.run(given);
  } catch (error) {
    terminal.writeError(`${program} ${command.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    terminal.writeError(`See ${program} ${command.name} --help\n`);
    return EXIT_NOT_DONE;
  }
}

/**
 * Deadlines do not keep a process alive. Without a sleep, a command whose connection is closed at once would end with Node's
 * code 13 and no word, before the deadline of its request.
 */
async function whileAwake({ sleep }: Pick<CommandLine, "sleep">, running: Promise<number>): Promise<number> {
  const over = new AbortController();
  void sleep(MAX_RUN_MS, over.signal).catch(() => undefined);
  return running.finally(() => over.abort());
}

/** A command of two words hides one of its first word. */
function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const find = (name: string) => commands.find((command) => command.name === name);
  return find(words.slice(0, 2).join(" ")) ?? find(words[0] ?? "");
}

function formatUsage({ name, takes }: Command): string {
  return takes === undefined ? name : `${name} ${takes}`;
}

function formatOverview(program: string, commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `Usage: ${program} <command>`,
    "",
    ...rows,
    "",
    `${program} <command> --help says more. Exit codes: 0 done, 2 wrong words or not done, 1 as the command says.`,
    "",
  ].join("\n");
}

function formatHelp(program: string, command: Command): string {
  const { summary, details, exitCodes = {} } = command;
  const codes = Object.entries({ 0: "done", 2: "wrong words, or it could not be done", ...exitCodes });
  return [
    `Usage: ${program} ${formatUsage(command)}`,
    "",
    summary,
    ...(details === undefined ? [] : [details]),
    "",
    "Exit codes:",
    ...codes.map(([code, meaning]) => `  ${code}  ${meaning}`),
    "",
  ].join("\n");
}

/** For each beginning the words that may follow; where there are none, bash completes the names of files. */
function formatCompletion(program: string, commands: readonly Command[]): string {
  const followers = new Map<string, Set<string>>();
  const add = (beginning: string, word: string) =>
    followers.set(beginning, (followers.get(beginning) ?? new Set()).add(word));
  for (const { name, options = {} } of commands) {
    const [first = "", second] = name.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
    for (const option of [...Object.keys(options), "help"]) add(name, `--${option}`);
  }
  const cases = [...followers]
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([beginning, words]) => `    "${beginning}"*) choices="${[...words].join(" ")}" ;;`);
  const name = `_${program.replaceAll("-", "_")}`;
  return `${name}() {
  local choices="" before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${name} ${program}
`;
}

/** The text of an option; undefined when it was left out. */
export function readText({ values }: Pick<CommandArguments, "values">, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** All texts of an option that may be repeated. */
export function readTexts({ values }: Pick<CommandArguments, "values">, name: string): string[] {
  return [values[name] ?? []].flat().map(String);
}

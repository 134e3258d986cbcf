import { Problem } from "@kit/problem";
import { compareRules, type Difference, formatDifference, type LocalRule } from "./difference.ts";
import { checkFile, nameFile, type RuleFile } from "./rule-file.ts";
import type { RulesClient } from "./rules-client.ts";

/** The folder of rules as the command uses it. */
export interface RuleFolder {
  read(): Promise<RuleFile[]>;
  write(file: RuleFile): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface RulesCommandDeps {
  folder: RuleFolder;
  /** Called only if a service is needed. */
  client: () => RulesClient;
  print: (line: string) => void;
}

export interface RulesOptions {
  isDryRun: boolean;
  isPruning: boolean;
}

/** 0: success without differences; 1: a difference or a refused rule. */
export type ExitCode = 0 | 1;

/** The command `manara-soc rules`: compares a folder of YAML files, one per rule, with the rules of a service. */
export function createRulesCommand({ folder, client, print }: RulesCommandDeps) {
  async function readRules(): Promise<LocalRule[] | undefined> {
    const checked = (await folder.read()).map(checkFile);
    const refused = checked.filter((each) => each.state === "refused");
    for (const { file, reasons } of refused) print(`refused ${file.name}: ${reasons.join("; ")}`);
    const rules = checked.flatMap((each) => (each.state === "read" ? [{ ...each.rule, file: each.file }] : []));
    const twice = findTwice(rules);
    for (const { file, id } of twice) print(`refused ${file.name}: id: '${id}' is also the id of another file`);
    return refused.length + twice.length > 0 ? undefined : rules;
  }

  /** Creates and updates rules; returns the number of refused documents. */
  async function apply({ created, updated }: Difference): Promise<number> {
    const changed = [...created, ...updated.map(({ local }) => local)];
    const { ids, refused } = await client().push(changed.map(({ id, text }) => (id === "" ? withoutId(text) : text)));
    for (const reason of refused) print(`refused ${reason}`);
    for (const [at, { file, ...local }] of created.entries()) {
      const id = ids[at];
      // The next push must find the rule again; a Sigma rule is found by its own id.
      const isLost = local.id === "" && local.sigmaId === "";
      if (id !== undefined && isLost) await folder.write({ name: file.name, text: addId(file.text, id) });
    }
    return refused.length;
  }

  return {
    /** Writes a file for each rule. Removes the files of deleted rules only when pruning. */
    async pull({ isDryRun, isPruning }: RulesOptions): Promise<ExitCode> {
      const files = await folder.read();
      const names = new Map(files.flatMap((file) => readIds(file).map((id) => [id, file])));
      const rules = await client().list();
      const written = rules
        .map((rule) => ({ rule, file: names.get(rule.id) ?? names.get(rule.sigmaId) }))
        .filter(({ rule, file }) => file?.text !== rule.text)
        .map(({ rule, file }) => ({ name: file?.name ?? nameFile(rule), text: rule.text }));
      const known = new Set(rules.flatMap(({ id, sigmaId }) => [id, sigmaId]));
      const stale = isPruning ? files.filter((file) => isStale(file, known)) : [];
      for (const { name } of written) print(`write ${name}`);
      for (const { name } of stale) print(`remove ${name}`);
      const differences = written.length + stale.length;
      print(`${rules.length} rules, ${differences} differences`);
      if (isDryRun) return differences > 0 ? 1 : 0;
      for (const file of written) await folder.write(file);
      for (const { name } of stale) await folder.remove(name);
      return 0;
    },

    /** Makes the service match the folder. */
    async push({ isDryRun, isPruning }: RulesOptions): Promise<ExitCode> {
      const rules = await readRules();
      if (!rules) return 1;
      const difference = compareRules(rules, await client().list());
      const lines = formatDifference(difference, isPruning);
      for (const line of lines) print(line);
      print(`${rules.length} rules, ${lines.length} differences`);
      if (isDryRun) return lines.length > 0 ? 1 : 0;
      const refusals = await apply(difference);
      if (isPruning) await client().remove(difference.absent.map(({ id }) => id));
      return refusals > 0 ? 1 : 0;
    },

    /** Runs the checks of the import without a service. */
    async test(): Promise<ExitCode> {
      const rules = await readRules();
      if (rules) print(`${rules.length} rules are valid`);
      return rules ? 0 : 1;
    },
  };
}

function findTwice(rules: readonly LocalRule[]): LocalRule[] {
  const seen = new Set<string>();
  return rules.filter(({ id, sigmaId }) => {
    const own = id === "" ? sigmaId : id;
    if (own === "") return false;
    if (seen.has(own)) return true;
    seen.add(own);
    return false;
  });
}

const OWN_ID = /^id:[ \t]*["']?([0-9a-f-]{36})["']?[ \t]*$/m;
const MARK = /^manara_rule[ \t]*:.*\n/m;

/** Reads the id of the rule and that of a plain Sigma rule. Both are at the start of a line. */
function readIds({ text }: RuleFile): string[] {
  const id = OWN_ID.exec(text)?.[1];
  return id === undefined ? [] : [id];
}

/** A file whose rule no longer exists. A file without an id has not been pushed yet. */
function isStale(file: RuleFile, known: ReadonlySet<string>): boolean {
  const ids = readIds(file);
  return ids.length > 0 && !ids.some((id) => known.has(id));
}

function withoutId(text: string): string {
  return text.replace(/^id: .*\n/m, "");
}

function addId(text: string, id: string): string {
  if (!MARK.test(text)) throw new Problem("invalid", "id: the file has no line 'manara_rule: 1'");
  return text.replace(MARK, (line) => `${line}id: ${id}\n`);
}

/** Options that name a file, and the variable by which the tests of a proof read it. */
const FILE_OPTIONS: Readonly<Record<string, string>> = { "--situations": "PROVE_SITUATIONS" };

export interface ProveOptions {
  names: string[];
  env: Record<string, string>;
}

/** Separates the names of proofs from options. The answer to a wrong option is its problem in words. */
export function parseOptions(words: readonly string[], toPath: (file: string) => string): ProveOptions | string {
  const asked: ProveOptions = { names: [], env: {} };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("--")) {
      asked.names.push(word);
      continue;
    }
    const [option = word, joined] = word.split(/=(.*)/s);
    const variable = Object.hasOwn(FILE_OPTIONS, option) ? FILE_OPTIONS[option] : undefined;
    if (variable === undefined) return `unknown option: ${option}`;
    if (joined === undefined) at += 1;
    const file = joined ?? words[at] ?? "";
    if (file === "" || file.startsWith("--")) return `${option}: needs a file`;
    asked.env[variable] = toPath(file);
  }
  return asked;
}

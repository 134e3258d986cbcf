import { Problem } from "@kit/problem";
import type { YamlReader } from "../../foundation/yaml/yaml-reader.ts";
import { type Fields, type ParseFields, parseYamlFields, splitDocuments, toFields } from "./sigma-yaml.ts";

export interface CallerYaml {
  /** Parses one document ahead, in the thread for YAML of callers. */
  add(text: string, intAsBigInt: boolean): Promise<void>;
  /** Parses the documents of a Sigma rule or correlation ahead. */
  addSigma(text: string): Promise<void>;
  /** Returns what was parsed ahead. Texts that were not added are of stored rules. */
  parse: ParseFields;
}

/** The YAML of one request. Readers of rules are synchronous and parse the same document several times. */
export function createCallerYaml(yaml: Pick<YamlReader, "parse">): CallerYaml {
  const known = new Map<string, Fields | Problem>();

  async function parseAhead(text: string, intAsBigInt: boolean): Promise<Fields | Problem> {
    try {
      return toFields(await yaml.parse(text, { intAsBigInt }));
    } catch (error) {
      // A refused document does not affect the others; a thread that is missing does.
      if (error instanceof Problem && error.kind === "invalid") return error;
      throw error;
    }
  }

  async function add(text: string, intAsBigInt: boolean): Promise<void> {
    const key = keyOf(text, intAsBigInt);
    if (!known.has(key)) known.set(key, await parseAhead(text, intAsBigInt));
  }

  return {
    add,
    async addSigma(text) {
      for (const document of splitDocuments(text)) await add(document, true);
    },
    parse(text, intAsBigInt = true) {
      const fields = known.get(keyOf(text, intAsBigInt));
      if (fields instanceof Problem) throw fields;
      return fields ?? parseYamlFields(text, intAsBigInt);
    },
  };
}

function keyOf(text: string, intAsBigInt: boolean): string {
  return `${intAsBigInt}:${text}`;
}

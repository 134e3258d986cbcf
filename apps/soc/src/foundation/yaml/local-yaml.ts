import { invalidField } from "@kit/problem";
import { parseYaml, type YamlDocument, type YamlOptions } from "./yaml.ts";
import type { YamlReader } from "./yaml-reader.ts";

/** Parses YAML that was checked when it was stored, or that comes with the product. It throws the same refusals. */
export function parseOwnYaml(text: string, options?: YamlOptions): YamlDocument[] {
  const result = parseYaml(text, { maxTokens: Number.POSITIVE_INFINITY, ...options });
  if (result.state === "refused") throw invalidField("yaml", result.reason);
  return result.documents;
}

/** The interface of the reader, without its thread. */
export const LOCAL_YAML: Pick<YamlReader, "parse"> = { parse: async (text, options) => parseOwnYaml(text, options) };

import { invalidField, type Problem } from "@kit/problem";
import { stringify } from "yaml";
import { formatPosition, type YamlDocument, type YamlPosition } from "../../foundation/yaml/yaml.ts";
import type { YamlReader } from "../../foundation/yaml/yaml-reader.ts";
import { type Definition, definitionIn } from "./playbook.ts";
import type { Misfit } from "./schema-check.ts";

export interface WrittenYaml {
  value: unknown;
  /** Returns the position of a path in the text; for a missing path, of its nearest parent. */
  findPlace(path: readonly (string | number)[]): YamlPosition;
}

const MAX_CHARACTERS = 262_144;
const MAX_DOCUMENTS = 100;

/** Parses all documents of a text. Strict: duplicate keys and custom tags are errors. */
export async function readYaml(reader: Pick<YamlReader, "parse">, text: string): Promise<WrittenYaml[]> {
  if (text.length > MAX_CHARACTERS) throw invalidField("yaml", `must be at most ${MAX_CHARACTERS} characters`);
  const parsed = await reader.parse(text, { places: true });
  const documents = parsed.filter(({ value }) => value !== null && value !== undefined);
  if (documents.length === 0) throw invalidField("yaml", "must contain a playbook");
  if (documents.length > MAX_DOCUMENTS) throw invalidField("yaml", `must contain at most ${MAX_DOCUMENTS} playbooks`);
  return documents.map(toWritten);
}

function toWritten({ value, warning, place: root = { line: 1, column: 1 } }: YamlDocument): WrittenYaml {
  if (warning !== undefined) throw invalidField("yaml", warning);
  return {
    value,
    findPlace(path) {
      let place = root;
      for (const part of path) {
        const child = place.children?.get(String(part));
        if (!child) break;
        place = child;
      }
      return { line: place.line, column: place.column };
    },
  };
}

/** Describes the first problem: the field first, then its position. */
export function buildRefusal([first, ...others]: readonly Misfit[], written?: Pick<WrittenYaml, "findPlace">): Problem {
  if (!first) throw new Error("no misfit to report");
  const where = written ? formatPosition(written.findPlace(first.path)) : "";
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return invalidField(first.path.join(".") || "playbook", `${first.message}${where}${more}`);
}

export function toYaml(definition: Definition): string {
  const { inputs, approval, steps, ...rest } = definitionIn(definition);
  const named = inputs.map(({ from, description, ...input }) => ({
    ...input,
    ...(from !== null && { from }),
    ...(description !== "" && { description }),
  }));
  const written = steps.map(({ when, compensate, ...step }) => ({
    ...step,
    ...(when !== null && { when }),
    ...(compensate !== null && { compensate }),
  }));
  const parts = { ...(named.length > 0 && { inputs: named }), ...(approval !== null && { approval }), steps: written };
  return stringify({ ...rest, ...parts }, { lineWidth: 100 });
}

import { invalidField, type Problem } from "@kit/problem";
import { type Document, isNode, LineCounter, parseAllDocuments, stringify } from "yaml";
import { type Definition, definitionIn } from "./playbook.ts";
import type { Misfit } from "./schema-check.ts";

export interface Place {
  line: number;
  column: number;
}

export interface WrittenYaml {
  value: unknown;
  /** Returns the position of a path in the text; for a missing path, of its nearest parent. */
  findPlace(path: readonly (string | number)[]): Place;
}

const MAX_CHARACTERS = 262_144;
const MAX_DOCUMENTS = 100;
const MAX_ALIASES = 20;

/** Parses all documents of a text. Strict: duplicate keys and custom tags are errors. */
export function readYaml(text: string): WrittenYaml[] {
  if (text.length > MAX_CHARACTERS) throw invalidField("yaml", `must be at most ${MAX_CHARACTERS} characters`);
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { strict: true, uniqueKeys: true, lineCounter: lines, prettyErrors: false });
  // The parser does not return an array for an empty text.
  const documents = Array.isArray(parsed) ? parsed.filter(({ contents }) => contents !== null) : [];
  if (documents.length === 0) throw invalidField("yaml", "must contain a playbook");
  if (documents.length > MAX_DOCUMENTS) throw invalidField("yaml", `must contain at most ${MAX_DOCUMENTS} playbooks`);
  return documents.map((document) => parseDocument(document, lines));
}

function parseDocument(document: Document.Parsed, lines: LineCounter): WrittenYaml {
  const [error] = [...document.errors, ...document.warnings];
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (error) throw invalidField("yaml", `${error.message}${spelled(at(error.pos[0]))}`);
  return {
    value: toPlainValue(document),
    findPlace(path) {
      for (let depth = path.length; depth >= 0; depth -= 1) {
        const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
        if (isNode(node) && node.range) return at(node.range[0]);
      }
      return at(0);
    },
  };
}

function toPlainValue(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw invalidField("yaml", "has too many or unknown aliases", { cause: error });
    throw error;
  }
}

function spelled({ line, column }: Place): string {
  return `, at line ${line}, column ${column}`;
}

/** Describes the first problem: the field first, then its position. */
export function buildRefusal([first, ...others]: readonly Misfit[], written?: Pick<WrittenYaml, "findPlace">): Problem {
  if (!first) throw new Error("no misfit to report");
  const where = written ? spelled(written.findPlace(first.path)) : "";
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

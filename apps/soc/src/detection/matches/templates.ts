import { isLogField } from "../../logs/query/condition-field.ts";
import type { LogEvent } from "../../logs/search/log.ts";
import { parseEventField, readTexts } from "../matching/event-field.ts";
import type { Rule } from "../rules/rule.ts";

const PLACEHOLDER = /\{([a-z_]+|attributes\.[^{}\s]{1,500})\}/g;

/**
 * Puts what is known of the event into the template. In one pass: a value that looks like a placeholder stays what it
 * is, and nothing is ever evaluated. What is no placeholder stays as it was written.
 */
export function render(template: string, rule: Pick<Rule, "id" | "name">, log: LogEvent): string {
  return template.replaceAll(PLACEHOLDER, (written, name: string) => textFor(name, rule, log) ?? written);
}

function textFor(name: string, rule: Pick<Rule, "id" | "name">, log: LogEvent): string | undefined {
  if (name === "rule_name") return rule.name;
  if (name === "rule_id") return rule.id;
  if (isLogField(name)) return String(log[name]);
  if (!name.startsWith("attributes.") || /[:^@]`/.test(name)) return undefined;
  return readTexts(parseEventField(name, name), log).join(", ");
}

/** On one line, not too long, and without characters that cannot be stored; undefined when nothing is left. */
export function oneLine(text: string, maxLength: number): string | undefined {
  return shortened(wellFormed(text).replaceAll(/[\s\p{Cc}]+/gu, " "), maxLength);
}

/** Not too long, and without characters that cannot be stored; undefined when nothing is left. */
export function paragraphs(text: string, maxLength: number): string | undefined {
  return shortened(wellFormed(text).replaceAll("\0", " "), maxLength);
}

function shortened(text: string, maxLength: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (trimmed.length <= maxLength) return trimmed;
  return `${wellFormed(trimmed.slice(0, maxLength - 1))}…`;
}

/** Half a pair of surrogates becomes the sign for what cannot be read. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

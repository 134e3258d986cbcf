import { isLogField } from "@kit/query/log-field";
import type { LogEvent } from "../../ports/log-event.ts";
import { parseEventField, readTexts } from "../matching/event-field.ts";

/** The fields of a rule that a template can use. */
interface NamedRule {
  id: string;
  name: string;
}

const PLACEHOLDER = /\{([a-z_]+|attributes\.[^{}\s]{1,500})\}/g;

/**
 * Fills the template with values of the event, in one pass: a value that looks like a placeholder is not replaced
 * again, and nothing is evaluated. An unknown placeholder is kept.
 */
export function render(template: string, rule: NamedRule, { log, entity }: TemplateContext): string {
  return template.replaceAll(PLACEHOLDER, (written, name: string) => textFor(name, rule, { log, entity }) ?? written);
}

export interface TemplateContext {
  log: LogEvent;
  /** The entity that the alert is about. */
  entity: string;
}

function isAttribute(name: string): boolean {
  return name.startsWith("attributes.") && !/[:^@]`/.test(name);
}

function textFor(name: string, rule: NamedRule, { log, entity }: TemplateContext): string | undefined {
  if (name === "entity") return entity;
  if (name === "rule_name") return rule.name;
  if (name === "rule_id") return rule.id;
  if (isLogField(name)) return String(log[name]);
  if (!isAttribute(name)) return undefined;
  return readTexts(parseEventField(name, name), log).join(", ");
}

import { inlineReferences } from "@kit/http/openapi";
import { isRecord, toArray } from "./json.ts";
import { formatLimits, formatSchema } from "./schema-text.ts";

export interface ReferencePage {
  /** The name of the file without its ending, such as `alerts`. */
  name: string;
  text: string;
}

const METHODS = ["get", "head", "options", "post", "put", "patch", "delete"];
const OUTSIDE = "outside-the-api";

/** One page for each first noun of the paths of an OpenAPI document. */
export function buildReference(openapi: unknown, product: string): ReferencePage[] {
  const inlined = inlineReferences(openapi);
  if (!isRecord(inlined) || !isRecord(inlined.paths)) throw new Error(`${product}: not an OpenAPI document`);
  const sections = new Map<string, string[]>();
  for (const [path, item] of Object.entries(inlined.paths)) {
    const operations = METHODS.flatMap((method) =>
      isRecord(item) && isRecord(item[method]) ? [[method, item[method]] as const] : [],
    );
    const texts = operations.map(([method, operation]) => formatOperation(method.toUpperCase(), path, operation));
    const name = findGroup(path);
    sections.set(name, [...(sections.get(name) ?? []), ...texts]);
  }
  return [...sections].map(([name, texts]) => ({ name, text: `# ${name} (${product})\n\n${texts.join("\n")}` }));
}

function findGroup(path: string): string {
  return /^\/api\/(?:v\d+\/)?([a-z][a-z-]*)/.exec(path)?.[1] ?? OUTSIDE;
}

function formatOperation(method: string, path: string, operation: Record<string, unknown>): string {
  const facts = Object.entries(operation).filter(([name]) => name.startsWith("x-"));
  return [
    `## ${method} \`${path}\`\n`,
    ...(typeof operation.summary === "string" ? [`${operation.summary}.\n`] : []),
    ...(typeof operation.description === "string" ? [`${operation.description}\n`] : []),
    `${facts.map(formatFact).join(" · ")}\n`,
    ...formatParameters(toArray(operation.parameters)),
    ...formatContent("Body", operation.requestBody),
    ...(isRecord(operation.responses)
      ? Object.entries(operation.responses).flatMap(([status, each]) => formatContent(status, each))
      : []),
  ].join("\n");
}

function formatFact([name, value]: [string, unknown]): string {
  return `${name.slice("x-".length)}: ${code([value].flat().join(" ") || "none")}`;
}

function formatParameters(parameters: readonly unknown[]): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.filter(isRecord).map(({ name, in: place, required, schema }) => {
    const type = formatSchema(schema).replaceAll("|", "\\|");
    const limits = formatLimits(schema).replaceAll("|", "\\|");
    return `| ${code(name)} | ${String(place)}${required === true ? ", required" : ""} | ${code(type)} | ${limits === "" ? "" : code(limits)} |`;
  });
  return ["| parameter | in | type | limits |", "|---|---|---|---|", ...rows, ""];
}

/** Nothing for a reference to the common error body, and for content that has no schema. */
function formatContent(title: string, holder: unknown): string[] {
  if (!isRecord(holder) || !isRecord(holder.content)) return [];
  const json = holder.content["application/json"];
  if (!isRecord(json)) return [`${title}: ${Object.keys(holder.content).map(code).join(", ")}\n`];
  return [`${title}:\n`, "```text", formatSchema(json.schema), "```\n"];
}

function code(text: unknown): string {
  return `\`${String(text)}\``;
}

import { FIELD_KINDS, type FieldKind, QUERY_SEVERITIES } from "./log-field.ts";
import { SIGNS } from "./query-syntax.ts";

/** The completions that an editor offers while the user writes a query. Every example is a complete query. */
export interface QueryCompletion {
  fields: { name: string; type: FieldKind | "attribute"; operators: string[]; values: string[]; examples: string[] }[];
  operators: { text: string; meaning: string; example: string }[];
}

const EQUALS = [":"];
const ORDERED = [":", ...SIGNS.map((sign) => `:${sign}`), ":[ TO ]", ":{ TO }"];

const OPERATORS_OF: Readonly<Record<FieldKind | "attribute", readonly string[]>> = {
  id: EQUALS,
  text: ORDERED,
  "long text": EQUALS,
  instant: ORDERED,
  severity: ORDERED,
  address: EQUALS,
  port: ORDERED,
  attribute: ORDERED,
};

const EXAMPLES_OF: Readonly<Record<FieldKind, (name: string) => string[]>> = {
  id: (name) => [`${name}:019680aa-0000-7000-8000-000000000001`],
  text: (name) => [`${name}:srv-7`, `${name}:"two words"`, `${name}:srv-*`, `${name}:(srv-7 OR srv-8)`, `${name}:*`],
  "long text": (name) => [`${name}:failed`, `${name}:"failed password"`, `${name}:fail*ssh`],
  instant: (name) => [
    `${name}:2026-05-31`,
    `${name}:>=now-1h`,
    `${name}:[2026-05-31T08:00:00Z TO 2026-05-31T09:00:00Z}`,
  ],
  severity: (name) => [`${name}:high`, `${name}:>=medium`],
  address: (name) => [`${name}:192.0.2.7`, `${name}:10.0.0.0/8`, `${name}:2001:db8::/32`, `${name}:192.0.2.*`],
  port: (name) => [`${name}:443`, `${name}:>=1024`, `${name}:[6000 TO 6063]`],
};

const OPERATORS = [
  { text: "AND", meaning: "both; the default between two terms", example: "failed AND user:root" },
  { text: "OR", meaning: "either; AND binds more tightly", example: "user:root OR user:admin" },
  { text: "NOT", meaning: "excludes what matches", example: "failed NOT user:root" },
  { text: "( )", meaning: "groups terms", example: "failed (user:root OR user:admin)" },
  { text: '" "', meaning: "exactly these words, without wildcards", example: '"failed password"' },
  { text: "*", meaning: "any characters; alone: the field exists", example: "user:adm*" },
  { text: "?", meaning: "exactly one character", example: "host:srv-?" },
  { text: "\\", meaning: "the next character is literal", example: String.raw`process:what\?` },
];

/** The names of attributes come from the events, so only the prefix `attributes.` can be offered. */
export function queryCompletion(): QueryCompletion {
  const fields = Object.entries(FIELD_KINDS).map(([name, type]) => ({
    name,
    type,
    operators: [...OPERATORS_OF[type]],
    values: type === "severity" ? [...QUERY_SEVERITIES] : [],
    examples: EXAMPLES_OF[type](name),
  }));
  const attribute = {
    name: "attributes.",
    type: "attribute" as const,
    operators: [...OPERATORS_OF.attribute],
    values: [],
    examples: ["attributes.client.ip:10.0.0.0/8", "attributes.bytes:>1000000", "attributes.elevated:true"],
  };
  return { fields: [...fields, attribute], operators: OPERATORS };
}

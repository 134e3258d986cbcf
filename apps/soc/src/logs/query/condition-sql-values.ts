import type { Field } from "@kit/query/condition";
import { toAttributeName } from "@kit/query/condition-field";
import { spellNumber } from "@kit/query/condition-number";
import { FIELD_KINDS } from "@kit/query/log-field";
import type { LogField } from "../../ports/log-event.ts";

export type ParameterType = "String" | "Float64" | "Int64" | "Identifier";

export interface Parameters {
  /** Returns the placeholder for the value in the SQL. */
  add: (value: string | number, type: ParameterType) => string;
  /** Returns the placeholder for a list of texts. */
  addList: (texts: readonly string[]) => string;
  /** All values are text: a large number could lose precision before it reaches the engine. */
  values: Readonly<Record<string, ParameterValue>>;
}

export type ParameterValue = string | readonly string[];

/** Parameters are named `<prefix>0`, `<prefix>1` and so on, so that one statement can contain several conditions. */
export function createParameters(prefix: string): Parameters {
  const values: Record<string, ParameterValue> = {};
  const names = new Map<string, string>();
  function put(value: ParameterValue, key: string): string {
    const name = names.get(key) ?? `${prefix}${names.size}`;
    names.set(key, name);
    values[name] = value;
    return name;
  }
  return {
    values,
    add(value, type) {
      const spelled = typeof value === "number" ? spellNumber(value) : value;
      return `{${put(spelled, `${type} ${spelled}`)}:${type}}`;
    },
    addList: (texts) => `{${put(texts, JSON.stringify(texts))}:Array(String)}`,
  };
}

export function quoteColumn(name: LogField): string {
  return `\`${name}\``;
}

/** The SQL expression for a column as text, in the form that the log has in this field. */
export function buildTextSql(name: LogField): string {
  const column = quoteColumn(name);
  switch (FIELD_KINDS[name]) {
    case "instant":
      return `concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`;
    case "severity":
    case "port":
      return `toString(${column})`;
    case "id":
    case "text":
    case "long text":
    case "address":
      return column;
    default:
      return FIELD_KINDS[name] satisfies never;
  }
}

// The server does not unescape an Identifier as it does a String, but the client escapes both.
const ESCAPED = /[\\'\p{Cc}]/u;

const SCALARS = "('String', 'Int64', 'UInt64', 'Float64', 'Bool')";

/** The SQL expressions that read an attribute. Objects and nested lists are not values. */
export interface AttributeSql {
  isScalar: string;
  /** The single value as text. */
  text: string;
  isList: string;
  /** The values of the list as text. */
  texts: string;
}

/**
 * Reads an attribute as its own subcolumn, except for names that cannot be passed as an identifier: for these, all
 * attributes are read.
 */
export function attributeSql(
  { attribute }: Extract<Field, { attribute: unknown }>,
  parameters: Parameters,
): AttributeSql {
  const name = toAttributeName(attribute);
  const value = ESCAPED.test(name)
    ? `getSubcolumn(attributes, ${parameters.add(name, "String")})`
    : `attributes.${parameters.add(name, "Identifier")}`;
  const castTo = (type: string) => `dynamicElement(${value}, '${type}')`;
  const lists = [
    `arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), ${castTo("Array(Nullable(String))")}))`,
    ...["Array(Nullable(Int64))", "Array(Nullable(Float64))", "Array(Nullable(Bool))"].map(
      (type) => `arrayMap(x -> toString(assumeNotNull(x)), arrayFilter(x -> isNotNull(x), ${castTo(type)}))`,
    ),
    `arrayMap(x -> toString(x), arrayFilter(x -> dynamicType(x) IN ${SCALARS}, ${castTo("Array(Dynamic)")}))`,
  ];
  return {
    isScalar: `dynamicType(${value}) IN ${SCALARS}`,
    text: `toString(${value})`,
    isList: `startsWith(dynamicType(${value}), 'Array')`,
    texts: `arrayConcat(${lists.join(", ")})`,
  };
}

/** The values of a field as a list of text. */
export function buildTextsSql(field: Field, parameters: Parameters): string {
  if ("name" in field) {
    const texts = `[${buildTextSql(field.name)}]`;
    return FIELD_KINDS[field.name] === "port" ? `if(${quoteColumn(field.name)} = 0, [], ${texts})` : texts;
  }
  const { isScalar, text, texts } = attributeSql(field, parameters);
  return `if(${isScalar}, [${text}], ${texts})`;
}

import type { Field } from "@kit/query/condition";
import { FIELD_KINDS } from "@kit/query/log-field";
import {
  attributeSql,
  buildTextSql,
  buildTextsSql,
  type Parameters,
  quoteColumn,
} from "../query/condition-sql-values.ts";

/** How many values of a field are counted; beyond this the counts are estimates. */
export const MAX_COUNTED_VALUES = 4000;

interface FacetSql {
  top: string;
  distinct: string;
  /** The same as a state that can be merged with that of another store. */
  distinctState: string;
  missing: string;
}

/** Selects the most frequent values of a field, in bounded memory. A list counts with each of its values. */
export function buildFacetSql(field: Field, limit: number, parameters: Parameters): FacetSql {
  const top = `(${limit}, ${MAX_COUNTED_VALUES})`;
  if ("name" in field) {
    const [text, isKnown] = [buildTextSql(field.name), buildKnownSql(field.name)];
    return {
      top: `approx_top_kIf${top}(${text}, ${isKnown})`,
      distinct: `uniqIf(${text}, ${isKnown})`,
      distinctState: `uniqIfState(${text}, ${isKnown})`,
      missing: `countIf(NOT ${isKnown})`,
    };
  }
  const texts = buildTextsSql(field, parameters);
  return {
    top: `approx_top_kArray${top}(${texts})`,
    distinct: `uniqArray(${texts})`,
    distinctState: `uniqArrayState(${texts})`,
    missing: `countIf(empty(${texts}))`,
  };
}

/** The single value of a field as text; NULL for an unknown value, and for a list. */
export function buildValueSql(field: Field, parameters: Parameters): string {
  if ("name" in field) return `if(${buildKnownSql(field.name)}, ${buildTextSql(field.name)}, NULL)`;
  const { isScalar, text } = attributeSql(field, parameters);
  return `if(${isScalar}, ${text}, NULL)`;
}

function buildKnownSql(name: keyof typeof FIELD_KINDS): string {
  switch (FIELD_KINDS[name]) {
    case "instant":
    case "severity":
      return "true";
    case "port":
      return `(${quoteColumn(name)} != 0)`;
    case "id":
    case "text":
    case "long text":
    case "address":
      return `(${quoteColumn(name)} != '')`;
    default:
      return FIELD_KINDS[name] satisfies never;
  }
}

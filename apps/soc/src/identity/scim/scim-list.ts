import { isStorable } from "../../foundation/records/storable.ts";
import type { ListQuery, ListResource } from "./scim.schema.ts";
import { normalizePath, parseFilter, type Term } from "./scim-filter.ts";
import { refuseValue } from "./scim-values.ts";

export const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const MAX_PAGE = 200;
const DEFAULT_PAGE = 100;
const MAX_START = 1_000_000;

/** A page of a list; positions start at 1. */
export interface Range {
  startIndex: number;
  count: number;
}

/** RFC 7644, section 3.4.2.4: a start before 1 means 1, and a page may be shorter than requested. */
export function readPage({ filter, startIndex = 1, count = DEFAULT_PAGE }: ListQuery): { terms: Term[]; range: Range } {
  if (startIndex > MAX_START) throw refuseValue("startIndex", `must be at most ${MAX_START}`);
  if (filter !== undefined && !isStorable(filter)) {
    throw refuseValue("filter", "contains a character that cannot be stored");
  }
  const range = { startIndex: Math.max(1, startIndex), count: Math.min(MAX_PAGE, Math.max(0, count)) };
  return { terms: filter === undefined ? [] : parseFilter(filter), range };
}

export function buildList(resources: readonly object[], total: number, query: ListQuery): ListResource {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: readPage(query).range.startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((resource) => selectAttributes(resource, query)),
  };
}

/**
 * Whether the query requests the attribute, or does not exclude it. A sub-attribute (`name.givenName`) requests the
 * whole.
 */
export function hasAttribute(name: string, { attributes, excludedAttributes }: ListQuery): boolean {
  const asked = splitNames(attributes).map((each) => each.split(".")[0]);
  const isAsked = asked.length === 0 || asked.includes(name.toLowerCase());
  return isAsked && !splitNames(excludedAttributes).includes(name.toLowerCase());
}

/** `schemas` and `id` are always returned. */
export function selectAttributes(resource: object, query: ListQuery): Record<string, unknown> {
  const kept = Object.entries(resource).filter(
    ([name]) => name === "schemas" || name === "id" || hasAttribute(name, query),
  );
  return Object.fromEntries(kept);
}

function splitNames(listed = ""): string[] {
  return listed
    .split(",")
    .map((name) => normalizePath(name.trim()))
    .filter((name) => name !== "");
}

import type { PageQuery } from "./lists.schema.ts";

/**
 * Turns the named parameters of a query string into lists, before it is validated. A parameter that is repeated is not
 * split, so that a value with a comma can be given, too.
 */
export function splitSeveral(names: readonly string[]) {
  return async (request: { query: unknown }): Promise<void> => {
    const { query } = request;
    if (typeof query !== "object" || query === null) return;
    request.query = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        names.includes(name) && typeof value === "string" ? value.split(",") : value,
      ]),
    );
  };
}

/**
 * The query for a page. A filter with one value is passed on as that value: the list is then read from an index that
 * begins with its column.
 */
export function toSingles<Name extends string>(
  { skip, limit, cursor }: PageQuery,
  filters: { readonly [name in Name]?: readonly string[] },
  names: readonly Name[],
): PageQuery {
  const singles = names.flatMap((name) => {
    const values: readonly string[] = filters[name] ?? [];
    const [value, ...more] = values;
    return value === undefined || more.length > 0 ? [] : [[name, value] as const];
  });
  return {
    ...(skip !== undefined && { skip }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
    ...Object.fromEntries(singles),
  };
}

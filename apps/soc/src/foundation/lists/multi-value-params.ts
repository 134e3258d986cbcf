import type { PageQuery } from "./lists.schema.ts";

/**
 * Turns the named query parameters into lists before validation. A repeated parameter is not split, so that it can
 * contain a value with a comma.
 */
export function parseMultiValueParams(names: readonly string[]) {
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
 * Returns the query for a page. A filter with one value is passed as that value, so that the list is read from an index
 * that begins with its column.
 */
export function toPageQuery<Name extends string>(
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

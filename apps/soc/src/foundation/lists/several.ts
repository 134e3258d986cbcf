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

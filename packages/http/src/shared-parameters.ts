export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: unknown;
}

/**
 * The parameters that several operations share, each published once by its name. Where operations disagree about a name,
 * the most frequent form is shared.
 */
export function createSharedParameters(all: readonly Parameter[]) {
  const counts = new Map<string, number>();
  const shared = new Map<string, { text: string; parameter: Parameter; count: number }>();
  for (const parameter of all) {
    const text = JSON.stringify(parameter);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count > (shared.get(parameter.name)?.count ?? 1)) shared.set(parameter.name, { text, parameter, count });
  }
  return {
    /** A reference for a shared parameter, and the parameter itself otherwise. */
    refer(parameter: Parameter): object {
      const isShared = shared.get(parameter.name)?.text === JSON.stringify(parameter);
      return isShared ? { $ref: `#/components/parameters/${parameter.name}` } : parameter;
    },
    list(): Record<string, Parameter> {
      const sorted = [...shared.values()].toSorted((a, b) => (a.parameter.name < b.parameter.name ? -1 : 1));
      return Object.fromEntries(sorted.map(({ parameter }) => [parameter.name, parameter]));
    },
  };
}

import { replaceParts } from "./optional-fields.ts";

export type NamedSchemas = ReturnType<typeof createNamedSchemas>;

/** The schemas of an OpenAPI document that have a name: their `title`. */
export function createNamedSchemas() {
  const named = new Map<string, { schema: object; text: string; place: string }>();

  /** A reference for a schema with a title, and the schema itself without one. Throws if two schemas share a title. */
  function refer(schema: unknown, place: string): unknown {
    if (typeof schema !== "object" || schema === null) return schema;
    const { title, ...published } = replaceParts(schema, (part) => refer(part, place));
    if (typeof title !== "string") return published;
    const text = JSON.stringify(published);
    const known = named.get(title);
    if (known && known.text !== text) {
      throw new Error(`${place}: the schema '${title}' differs from the one of ${known.place}`);
    }
    if (!known) named.set(title, { schema: published, text, place });
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    refer,
    list: () =>
      Object.fromEntries(
        [...named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, { schema }]) => [name, schema]),
      ),
  };
}

import Type, { type Static, type TSchema } from "typebox";

/**
 * The query parameters of every list. Pages by cursor do not shift when rows are added; `skip` is the documented
 * parameter.
 */
export const PageQuery = Type.Object({
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
});
export type PageQuery = Static<typeof PageQuery>;

export function PageOf<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer(),
      total_is_estimate: Type.Optional(Type.Boolean()),
      skip: Type.Integer(),
      limit: Type.Integer(),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    },
    derivedTitle(item, "Page"),
  );
}

/** The response in dry_run: the object as the change would have stored it. */
export function PreviewOf<Item extends TSchema>(item: Item) {
  return Type.Object({ dry_run: Type.Boolean(), preview: item }, derivedTitle(item, "DryRun"));
}

/** The 200 response of a change: the object, or its preview in dry_run. */
export function WithPreviewOf<Item extends TSchema>(item: Item) {
  return Type.Union([item, PreviewOf(item)]);
}

/** The title of a schema that contains a titled schema, such as "AlertPage". */
function derivedTitle(item: TSchema, suffix: string): { title?: string } {
  return "title" in item && typeof item.title === "string" ? { title: `${item.title}${suffix}` } : {};
}

export const Deleted = Type.Object({ deleted: Type.Boolean(), id: Type.String() }, { title: "Deleted" });

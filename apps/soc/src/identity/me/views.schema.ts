import Type, { type Static } from "typebox";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";

const closed = { additionalProperties: false } as const;
const PageName = Type.String({
  pattern: "^[a-z][a-z0-9-]{0,49}$",
  description: "the page that the view belongs to, such as alerts",
});
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Sharing = Type.Enum(["private", "team", "roles"], { title: "SharingMode" });
const Roles = Type.Array(Type.Enum([...ROLES]), { maxItems: ROLES.length });
/** Filters, columns and sort of a page, in a format of the page. */
const State = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

const fields = {
  state: Type.Optional(State),
  sharing_mode: Type.Optional(Sharing),
  shared_with_roles: Type.Optional(Roles),
};

export const ViewParams = Type.Object({ view_id: Type.String() });

export const ViewsQuery = Type.Object({ ...PageQuery.properties, page: Type.Optional(PageName) });
export type ViewsQuery = Static<typeof ViewsQuery>;

export const CreateViewRequest = Type.Object(
  { page: PageName, name: Name, ...fields },
  { title: "CreateViewRequest", ...closed },
);
export type CreateViewRequest = Static<typeof CreateViewRequest>;

export const UpdateViewRequest = Type.Object(
  { name: Type.Optional(Name), ...fields },
  { title: "UpdateViewRequest", ...closed },
);
export type UpdateViewRequest = Static<typeof UpdateViewRequest>;

export const ViewBody = Type.Object(
  {
    id: Type.String(),
    page: Type.String(),
    name: Type.String(),
    state: State,
    sharing_mode: Sharing,
    shared_with_roles: Roles,
    created_by: Type.String(),
    created_at: Time,
    updated_at: Time,
  },
  { title: "View" },
);

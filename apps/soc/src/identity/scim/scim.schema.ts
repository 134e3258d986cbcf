import Type, { type Static } from "typebox";

export const ScimPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

const Names = Type.Optional(Type.String({ maxLength: 2000, description: "names of attributes, with commas between" }));

export const ResourceQuery = Type.Object(
  { attributes: Names, excludedAttributes: Names },
  { additionalProperties: true },
);

/** Providers add parameters of their own, which are ignored. */
export const ListQuery = Type.Object(
  {
    ...ResourceQuery.properties,
    filter: Type.Optional(Type.String({ maxLength: 2000, description: "comparisons by eq, joined by and" })),
    startIndex: Type.Optional(Type.Integer({ description: "from 1" })),
    count: Type.Optional(Type.Integer({ description: "at most 200" })),
  },
  { additionalProperties: true },
);
export type ListQuery = Static<typeof ListQuery>;

/** A resource or a PatchOp as the provider writes it. Attribute names are case-insensitive. */
export const ScimRequest = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

const Meta = Type.Object(
  {
    resourceType: Type.String(),
    created: Type.String({ format: "date-time" }),
    lastModified: Type.String({ format: "date-time" }),
    location: Type.String(),
  },
  { title: "ScimMeta" },
);

const Common = { schemas: Type.Array(Type.String()), id: Type.String(), externalId: Type.Optional(Type.String()) };

const UserResource = Type.Object({
  ...Common,
  userName: Type.String(),
  name: Type.Optional(
    Type.Object({ givenName: Type.Optional(Type.String()), familyName: Type.Optional(Type.String()) }),
  ),
  displayName: Type.Optional(Type.String()),
  emails: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), type: Type.String(), primary: Type.Boolean() })),
  ),
  active: Type.Boolean(),
  meta: Meta,
});
const GroupResource = Type.Object({
  ...Common,
  displayName: Type.String(),
  members: Type.Array(Type.Object({ value: Type.String(), display: Type.String(), type: Type.String() })),
  meta: Meta,
});

export type ScimResource = Static<typeof UserResource> | Static<typeof GroupResource>;

/** A resource, possibly limited to the attributes that a query selected. */
export const UserAnswer = Type.Unsafe<Record<string, unknown>>(Type.Partial(UserResource, { title: "ScimUser" }));
export const GroupAnswer = Type.Unsafe<Record<string, unknown>>(Type.Partial(GroupResource, { title: "ScimGroup" }));

const Resource = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

export const ListResource = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(Resource),
  },
  { title: "ScimList" },
);
export type ListResource = Static<typeof ListResource>;

export const Discovered = Resource;

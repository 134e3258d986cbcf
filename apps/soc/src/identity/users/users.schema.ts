import Type, { type Static } from "typebox";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";

// No colon: the prefix "key:" marks API keys as actors in audit entries and events.
const Username = Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9._@+-]+$" });
const Password = Type.String({ minLength: 8, maxLength: 1000 });
const Role = Type.Enum([...ROLES], { title: "Role" });
export const Sites = Type.Union(
  [Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 }), Type.Null()],
  {
    description: "ids or names of the sites to work for; null for all",
  },
);
const Email = Type.Union([Type.String({ format: "email", maxLength: 320 }), Type.Null()]);

export const CreateUserRequest = Type.Object(
  {
    username: Username,
    password: Password,
    role: Role,
    email: Type.Optional(Email),
    disabled: Type.Optional(Type.Boolean()),
    sites: Type.Optional(Sites),
  },
  { title: "CreateUserRequest", additionalProperties: false },
);
export type CreateUserRequest = Static<typeof CreateUserRequest>;

export const UpdateUserRequest = Type.Object(
  {
    password: Type.Optional(Password),
    role: Type.Optional(Role),
    email: Type.Optional(Email),
    disabled: Type.Optional(Type.Boolean()),
    sites: Type.Optional(Sites),
  },
  { title: "UpdateUserRequest", additionalProperties: false },
);
export type UpdateUserRequest = Static<typeof UpdateUserRequest>;

export const UserPath = Type.Object({ username: Type.String({ minLength: 1, maxLength: 100 }) });

/** Missing for a user with access to all sites. */
export const SitesBody = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));

export const UserBody = Type.Object(
  {
    username: Type.String(),
    role: Role,
    email: Type.Union([Type.String(), Type.Null()]),
    disabled: Type.Boolean(),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
    sites: Type.Optional(SitesBody),
  },
  { title: "User" },
);
export type UserBody = Static<typeof UserBody>;

export const DirectoryQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "a part of the name or the address" })),
  active: Type.Optional(Type.Boolean({ description: "false for the users who can no longer sign in" })),
});
export type DirectoryQuery = Static<typeof DirectoryQuery>;

export const DirectoryUserBody = Type.Object(
  {
    username: Type.String(),
    role: Role,
    email: Type.Union([Type.String(), Type.Null()]),
    active: Type.Boolean(),
  },
  { title: "DirectoryUser" },
);
export type DirectoryUserBody = Static<typeof DirectoryUserBody>;

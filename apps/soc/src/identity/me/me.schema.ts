import Type, { type Static } from "typebox";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";
import { UserBody } from "../users/users.schema.ts";

export const MAX_PREFERENCES_BYTES = 64 * 1024;

/** Arbitrary settings that a page stores for its user. */
export const Preferences = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { title: "Preferences", additionalProperties: true }),
);
export type Preferences = Static<typeof Preferences>;

const Limit = Type.Object(
  {
    limit: Type.Integer({ description: "requests in one window" }),
    remaining: Type.Integer(),
    reset_s: Type.Integer({ description: "whole seconds until the window ends" }),
  },
  { title: "RateLimit" },
);

export const MeBody = Type.Object(
  {
    ...UserBody.properties,
    permissions: Type.Array(Type.Enum([...PERMISSIONS])),
    preferences: Type.Union([Preferences, Type.Null()], { description: "null while there is no database" }),
    limits: Type.Record(Type.String(), Limit),
  },
  { title: "CurrentUser" },
);
export type MeBody = Static<typeof MeBody>;

export const ChangePasswordRequest = Type.Object(
  {
    current_password: Type.String({ minLength: 1, maxLength: 1000 }),
    new_password: Type.String({ minLength: 8, maxLength: 1000 }),
  },
  { title: "ChangePasswordRequest", additionalProperties: false },
);
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;

export const PasswordChangedBody = Type.Object({ password_changed: Type.Boolean() }, { title: "PasswordChanged" });

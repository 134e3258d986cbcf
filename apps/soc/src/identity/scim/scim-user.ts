import { normalizePath } from "./scim-filter.ts";
import { type PatchOperation, refusePath } from "./scim-patch.ts";
import {
  type Fields,
  isFields,
  pick,
  readBoolean,
  readEmail,
  readRequiredText,
  readText,
  refuseValue,
  toEmail,
} from "./scim-values.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";

/** The provider's data about a user. */
export interface UserDraft {
  user_name: string;
  external_id: string | null;
  display_name: string | null;
  given_name: string | null;
  family_name: string | null;
  email: string | null;
  active: boolean;
}

/** A user as it is stored. */
export interface ScimUser extends Omit<UserDraft, "email"> {
  id: string;
  provider: string;
  /** The account, which keeps its name. */
  username: string;
  is_barred: boolean;
  is_held: boolean;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** Reads the complete user from a request. Without `active` the state of the user is unchanged. */
export function readUser(body: Fields, isActive: boolean): UserDraft {
  const name = pick(body, "name");
  const names = isFields(name) ? name : {};
  const active = pick(body, "active");
  return {
    user_name: readRequiredText("userName", pick(body, "userName")),
    external_id: readText("externalId", pick(body, "externalId")),
    display_name: readText("displayName", pick(body, "displayName")),
    given_name: readText("name.givenName", pick(names, "givenName")),
    family_name: readText("name.familyName", pick(names, "familyName")),
    email: readEmail(pick(body, "emails")),
    active: active === undefined || active === null ? isActive : readBoolean("active", active),
  };
}

type Reader = (value: unknown) => Partial<UserDraft>;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["username", (value) => ({ user_name: readRequiredText("userName", value) })],
  ["externalid", (value) => ({ external_id: readText("externalId", value) })],
  ["displayname", (value) => ({ display_name: readText("displayName", value) })],
  ["name.givenname", (value) => ({ given_name: readText("name.givenName", value) })],
  ["name.familyname", (value) => ({ family_name: readText("name.familyName", value) })],
  ["active", (value) => ({ active: readBoolean("active", value) })],
  ["emails", (value) => ({ email: readEmail(value) })],
]);

/** The work address or the primary one: `emails[type eq "work"].value`. */
const WORK_EMAIL = /^emails\[(?:type eq "work"|primary eq (?:true|"true"))\](?:\.value)?$/;

/** Attributes that the platform does not store are ignored, because providers send many of them. */
export function patchUser(draft: UserDraft, { op, path, value }: PatchOperation): void {
  if (path === undefined) {
    if (op === "remove") throw refusePath("is required by remove", "no_target");
    if (!isFields(value)) throw refuseValue("Operations", "must have a path or an object as value");
    for (const [name, each] of Object.entries(value)) setAttribute(draft, name, each);
    return;
  }
  setAttribute(draft, path, op === "remove" ? null : value);
}

function setAttribute(draft: UserDraft, path: string, value: unknown): void {
  const attribute = normalizePath(path);
  if (WORK_EMAIL.test(attribute)) {
    draft.email = isFields(value) ? readEmail(value) : toEmail(value);
    return;
  }
  if (attribute !== "name") {
    Object.assign(draft, READERS.get(attribute)?.(value));
    return;
  }
  if (value === null) Object.assign(draft, { given_name: null, family_name: null });
  else if (!isFields(value)) throw refuseValue("name", "must be an object");
  else for (const [name, each] of Object.entries(value)) setAttribute(draft, `name.${name}`, each);
}

/** The resource that a provider reads. */
export function toUserResource(user: ScimUser, email: string | null, baseUrl: string) {
  const { id, user_name, external_id, display_name, given_name, family_name, active, created_at, updated_at } = user;
  const hasName = given_name !== null || family_name !== null;
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(external_id !== null && { externalId: external_id }),
    userName: user_name,
    ...(hasName && {
      name: {
        ...(given_name !== null && { givenName: given_name }),
        ...(family_name !== null && { familyName: family_name }),
      },
    }),
    ...(display_name !== null && { displayName: display_name }),
    ...(email !== null && { emails: [{ value: email, type: "work", primary: true }] }),
    active,
    meta: {
      resourceType: "User",
      created: created_at.toISOString(),
      lastModified: updated_at.toISOString(),
      location: `${baseUrl}/Users/${id}`,
    },
  };
}

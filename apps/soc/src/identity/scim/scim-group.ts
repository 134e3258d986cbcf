import { normalizePath } from "./scim-filter.ts";
import { type PatchOperation, refusePath } from "./scim-patch.ts";
import { type Fields, isFields, pick, readRequiredText, readText, refuseValue } from "./scim-values.ts";

export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const MAX_MEMBERS = 10_000;

export interface ScimGroup {
  id: string;
  provider: string;
  display_name: string;
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The two names by which the operator's rights may refer to a group. */
export type GroupNames = Pick<ScimGroup, "display_name" | "external_id">;

/** The requested state of a group. */
export interface GroupDraft {
  display_name: string;
  external_id: string | null;
  /** The ids of users. */
  members: Set<string>;
}

const ONE_MEMBER = /^members\[value eq "([^"\\]{1,255})"\]$/i;

export function readGroup(body: Fields): GroupDraft {
  return {
    display_name: readRequiredText("displayName", pick(body, "displayName")),
    external_id: readText("externalId", pick(body, "externalId")),
    members: new Set(readMembers(pick(body, "members") ?? [])),
  };
}

/** Returns the ids in a list of members; providers also send a single member without a list. */
function readMembers(value: unknown): string[] {
  const listed: unknown[] = Array.isArray(value) ? value : [value];
  if (listed.length > MAX_MEMBERS) throw refuseMembers();
  return listed.map((each) => {
    const id = isFields(each) ? pick(each, "value") : each;
    if (typeof id !== "string") throw refuseValue("members", "must be a list of objects with value");
    return id.toLowerCase();
  });
}

function refuseMembers() {
  return refuseValue("members", `must be at most ${MAX_MEMBERS}`);
}

export function patchGroup(draft: GroupDraft, operation: PatchOperation): void {
  const { op, path, value } = operation;
  if (path === undefined) {
    if (op === "remove") throw refusePath("is required by remove", "no_target");
    if (!isFields(value)) throw refuseValue("Operations", "must have a path or an object as value");
    for (const [name, each] of Object.entries(value)) patchAttribute(draft, { op, path: name, value: each });
  } else {
    patchAttribute(draft, { op, path, value });
  }
  if (draft.members.size > MAX_MEMBERS) throw refuseMembers();
}

function patchAttribute(draft: GroupDraft, { op, path = "", value }: PatchOperation): void {
  const [, member] = ONE_MEMBER.exec(path) ?? [];
  if (member !== undefined) {
    if (op === "remove") draft.members.delete(member.toLowerCase());
    else throw refusePath("names one member, which can only be removed", "invalid_path");
    return;
  }
  switch (normalizePath(path)) {
    case "members":
      patchMembers(draft, op, value);
      return;
    case "displayname":
      draft.display_name = readRequiredText("displayName", op === "remove" ? null : value);
      return;
    case "externalid":
      draft.external_id = readText("externalId", op === "remove" ? null : value);
      return;
    default:
      // A change of members that is not understood must not appear to succeed.
      if (/^members\b/i.test(path)) throw refusePath(`'members' takes [value eq "…"] only`, "invalid_path");
  }
}

/** Entra ID removes members with a list of values; RFC 7644 removes all of them without a list. */
function patchMembers(draft: GroupDraft, op: PatchOperation["op"], value: unknown): void {
  const hasValue = value !== undefined && value !== null;
  if (op === "remove" && !hasValue) {
    draft.members.clear();
    return;
  }
  const ids = readMembers(value ?? []);
  if (op === "replace") draft.members.clear();
  for (const id of ids) {
    if (op === "remove") draft.members.delete(id);
    else draft.members.add(id);
  }
}

export function toGroupResource(
  group: ScimGroup,
  members: readonly { id: string; user_name: string }[],
  baseUrl: string,
) {
  const { id, display_name, external_id, created_at, updated_at } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(external_id !== null && { externalId: external_id }),
    displayName: display_name,
    members: members.map((member) => ({
      value: member.id,
      display: member.user_name,
      type: "User",
    })),
    meta: {
      resourceType: "Group",
      created: created_at.toISOString(),
      lastModified: updated_at.toISOString(),
      location: `${baseUrl}/Groups/${id}`,
    },
  };
}

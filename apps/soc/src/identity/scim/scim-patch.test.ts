import { describe, expect, it } from "vitest";
import { patchGroup } from "./scim-group.ts";
import { readOperations } from "./scim-patch.ts";
import { patchUser } from "./scim-user.ts";

const USER = {
  user_name: "bjensen",
  external_id: null,
  display_name: "Babs",
  given_name: "Barbara",
  family_name: "Jensen",
  email: "b@example.com",
  active: true,
};

function patchedUser(...Operations: object[]) {
  const draft = { ...USER };
  for (const operation of readOperations({ Operations })) patchUser(draft, operation);
  return draft;
}

function patchedMembers(...Operations: object[]): string[] {
  const draft = { display_name: "Tour Guides", external_id: null, members: new Set(["a", "b"]) };
  for (const operation of readOperations({ Operations })) patchGroup(draft, operation);
  return [...draft.members];
}

describe("a SCIM patch of a user", () => {
  it.each([
    ["Entra's text", { op: "Replace", path: "active", value: "False" }, { active: false }],
    ["Entra's boolean", { op: "Replace", path: "active", value: false }, { active: false }],
    ["Okta's object", { op: "replace", value: { active: false } }, { active: false }],
    ["an add", { op: "Add", path: "displayName", value: "B" }, { display_name: "B" }],
    ["names by their paths", { op: "Replace", value: { "name.givenName": "Bo" } }, { given_name: "Bo" }],
    ["a name", { op: "replace", path: "name", value: { familyName: "J" } }, { family_name: "J" }],
    [
      "an address",
      { op: "Replace", path: 'emails[type eq "work"].value', value: "n@example.com" },
      { email: "n@example.com" },
    ],
    ["another address", { op: "Replace", path: 'emails[type eq "home"].value', value: "h@example.com" }, {}],
    ["a removal", { op: "Remove", path: "displayName" }, { display_name: null }],
    [
      "an attribute that is not kept",
      { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "x" },
      {},
    ],
    ["a prototype", { op: "replace", path: "constructor", value: "x" }, {}],
  ])("applies %s", (_, operation, changed) => {
    expect(patchedUser(operation)).toEqual({ ...USER, ...changed });
  });

  it.each([
    ["an operation without a name", { path: "active", value: false }, /^op: /],
    ["another operation", { op: "move", path: "active", value: false }, /^op: /],
    ["no boolean", { op: "replace", path: "active", value: "no" }, /^active: /],
    ["no user name", { op: "remove", path: "userName" }, /^userName: /],
    ["a removal of everything", { op: "remove" }, /^path: /],
    ["a value without a path", { op: "replace", value: "x" }, /^Operations: /],
    ["a text that is too long", { op: "replace", path: "displayName", value: "x".repeat(256) }, /^displayName: /],
    ["a character that cannot be stored", { op: "replace", path: "displayName", value: "\0" }, /^displayName: /],
  ])("refuses %s", (_, operation, why) => {
    expect(() => patchedUser(operation)).toThrow(why);
  });
});

describe("a SCIM patch of a group", () => {
  it.each([
    ["an addition", { op: "Add", path: "members", value: [{ value: "c" }] }, ["a", "b", "c"]],
    ["one member alone", { op: "add", path: "members", value: { value: "c" } }, ["a", "b", "c"]],
    ["a removal by a path", { op: "remove", path: 'members[value eq "a"]' }, ["b"]],
    ["a removal by values", { op: "Remove", path: "members", value: [{ value: "b" }] }, ["a"]],
    ["a removal of all", { op: "remove", path: "members" }, []],
    ["a replacement", { op: "replace", path: "members", value: [{ value: "c" }] }, ["c"]],
    ["a replacement by an object", { op: "replace", value: { id: "x", members: [{ value: "c" }] } }, ["c"]],
  ])("applies %s", (_, operation, members) => {
    expect(patchedMembers(operation)).toEqual(members);
  });

  it.each([
    ["a path that is not understood", { op: "remove", path: 'members[display eq "a"]' }, /^path: /],
    ["a member without value", { op: "add", path: "members", value: [{ display: "a" }] }, /^members: /],
    [
      "too many members",
      { op: "add", path: "members", value: Array.from({ length: 10_001 }, (_, i) => `${i}`) },
      /^members: /,
    ],
    ["no name", { op: "replace", path: "displayName", value: "" }, /^displayName: /],
  ])("refuses %s", (_, operation, why) => {
    expect(() => patchedMembers(operation)).toThrow(why);
  });
});

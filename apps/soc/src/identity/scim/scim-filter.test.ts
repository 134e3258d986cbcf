import { describe, expect, it } from "vitest";
import { parseFilter } from "./scim-filter.ts";

describe("parseFilter", () => {
  it.each([
    ['userName eq "bjensen@example.com"', [["username", "bjensen@example.com"]]],
    ['externalId EQ "0a21f0f2"', [["externalid", "0a21f0f2"]]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"', [["username", "x"]]],
    ['emails[type eq "work"].value eq "a@b.example"', [['emails[type eq "work"].value', "a@b.example"]]],
    [
      'userName eq "a" and active eq true And emails.value eq "b@c.example"',
      [
        ["username", "a"],
        ["active", true],
        ["emails.value", "b@c.example"],
      ],
    ],
    ['displayName eq "a \\"quoted\\" \\u00e9 name and more"', [["displayname", 'a "quoted" é name and more']]],
  ])("parses %s", (filter, terms) => {
    expect(parseFilter(filter).map(({ attribute, value }) => [attribute, value])).toEqual(terms);
  });

  it.each([
    "",
    "userName",
    'userName co "a"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    "userName eq 'a'",
    "userName eq \"a' OR 1=1 --",
    'userName eq "a"; DROP TABLE users',
    'userName eq "a" and',
    'userName eq "\\x"',
    'userName eq "a\nb"',
    `userName eq "${"a".repeat(1000)}"`,
    Array.from({ length: 11 }, () => 'id eq "a"').join(" and "),
  ])("refuses %s", (filter) => {
    expect(() => parseFilter(filter)).toThrow(/^filter: /);
  });

  it("runs in linear time", () => {
    expect(() => parseFilter(`${"a.".repeat(499)} `)).toThrow(/^filter: /);
  });
});

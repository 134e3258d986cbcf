import { expect, it } from "vitest";
import { findKeySites } from "./api-key.ts";

const alpha = { id: "1", name: "Alpha" };
const beta = { id: "2", name: "Beta" };

it.each([
  ["all sites", null, null, null],
  ["the sites of its owner", null, [alpha], [alpha]],
  ["its own sites", [beta], null, [beta]],
  ["those that both have", [alpha, beta], [beta], [beta]],
  ["nothing, when they share none", [alpha], [beta], []],
])("derives the permissions of a key for %s", (_, sites, owner, expected) => {
  expect(findKeySites({ sites }, { sites: owner })).toEqual(expected);
});

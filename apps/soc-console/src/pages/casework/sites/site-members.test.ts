import { expect, it } from "vitest";
import { countAllSites, filterBySite } from "./site-members.ts";

const everywhere = { name: "amina", sites: undefined };
const one = { name: "sara", sites: [{ id: "a" }] };
const two = { name: "yusuf", sites: [{ id: "a" }, { id: "b" }] };
const none = { name: "left over", sites: [] };

it("lists members restricted to the site, alone or with other sites", () => {
  expect(filterBySite([everywhere, one, two, none], "a")).toEqual([one, two]);
  expect(filterBySite([everywhere, one, two, none], "b")).toEqual([two]);
});

it("counts members with access to all sites, but not a user whose sites were all deleted", () => {
  expect(countAllSites([everywhere, one, two, none])).toBe(1);
});

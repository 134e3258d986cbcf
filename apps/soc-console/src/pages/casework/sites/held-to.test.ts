import { expect, it } from "vitest";
import { countUnheld, filterHeldTo } from "./held-to.ts";

const everywhere = { name: "amina", sites: undefined };
const one = { name: "sara", sites: [{ id: "a" }] };
const two = { name: "yusuf", sites: [{ id: "a" }, { id: "b" }] };
const none = { name: "left over", sites: [] };

it("finds those who are held to the site, alone or with others", () => {
  expect(filterHeldTo([everywhere, one, two, none], "a")).toEqual([one, two]);
  expect(filterHeldTo([everywhere, one, two, none], "b")).toEqual([two]);
});

it("counts those of all sites; a user whose sites were all deleted is not one of them", () => {
  expect(countUnheld([everywhere, one, two, none])).toBe(1);
});

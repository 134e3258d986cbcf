import { expect, it } from "vitest";
import { chooseSite } from "./log-site.ts";

const alpha = { id: "id-a", name: "Alpha" };
const gamma = { id: "id-g", name: "Gamma" };
const refusal = { site: "", reason: expect.stringMatching(/^site: must be one of the sites of the sender: /) };

it.each([
  ["an event of any sender", {}, "Beta", { site: "Beta" }],
  ["an event without a site", { site: "Beta" }, undefined, { site: "Beta" }],
  ["no site at all", {}, undefined, { site: "" }],
  ["a site that is no text", {}, { name: "Beta" }, { site: "" }],
  ["one site, another in the event", { sites: [alpha] }, "Beta", { site: "Alpha" }],
  ["one site, another in the request", { sites: [alpha], site: "Beta" }, undefined, { site: "Alpha" }],
  ["several, one by name", { sites: [alpha, gamma] }, "Gamma", { site: "Gamma" }],
  ["several, one by id", { sites: [alpha, gamma] }, "id-g", { site: "Gamma" }],
  ["several, one in the request", { sites: [alpha, gamma], site: "Gamma" }, "", { site: "Gamma" }],
  ["several, another in the event", { sites: [alpha, gamma], site: "Gamma" }, "Beta", refusal],
  ["several, spelled otherwise", { sites: [alpha, gamma] }, "gamma", refusal],
  ["several, none named", { sites: [alpha, gamma] }, undefined, refusal],
  ["no site of the sender", { sites: [] }, "Alpha", { site: "", reason: expect.stringContaining("it has none") }],
])("chooses the site of %s", (_, origin, named, expected) => {
  expect(chooseSite(origin, named)).toEqual(expected);
});

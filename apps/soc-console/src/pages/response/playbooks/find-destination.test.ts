import { expect, it } from "vitest";
import { findDestination } from "./find-destination.ts";

it("names the destination of a step as the playbook writes it", () => {
  expect(findDestination({ reason: "x", endpoint: "{parameters.host}" })).toBe("{parameters.host}");
  expect(findDestination({ path: "/block", method: "POST", adapter: "firewall" })).toBe("firewall POST /block");
  expect(findDestination({ seconds: 3 })).toBe("");
  expect(findDestination(undefined)).toBe("");
});

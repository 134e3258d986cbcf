import { describe, expect, it } from "vitest";
import { fillTemplate, listPlaceholders } from "./fill-template.ts";

const scope = {
  alert: { host: "fin-ws-014" },
  parameters: { users: ["layla", "omar"], count: 3, tricky: "{alert.host}" },
  steps: { search: { total: 61 } },
};

// The rules are in docs/api/soc.md, "templates of a step".
describe("the parameters of a step", () => {
  it("replaces placeholders inside a text", () => {
    expect(fillTemplate("{steps.search.total} logs of {alert.host}", scope)).toBe("61 logs of fin-ws-014");
  });

  it("keeps the type of a value if the text is only a placeholder", () => {
    expect(fillTemplate({ limit: "{parameters.count}", users: "{parameters.users}" }, scope)).toEqual({
      limit: 3,
      users: ["layla", "omar"],
    });
  });

  it("omits a field without a value", () => {
    expect(fillTemplate({ host: "{alert.host}", user: "{alert.user}" }, scope)).toEqual({ host: "fin-ws-014" });
  });

  it("fills placeholders in one pass", () => {
    expect(fillTemplate("{parameters.tricky}", scope)).toBe("{alert.host}");
  });

  it("flattens a list inside a list", () => {
    expect(fillTemplate({ tags: ["a", "{parameters.users}"] }, scope)).toEqual({ tags: ["a", "layla", "omar"] });
  });

  it("leaves other braces as they are", () => {
    expect(fillTemplate("{other.name} {alert}", scope)).toBe("{other.name} {alert}");
  });

  it("lists the fields that a template names", () => {
    expect(listPlaceholders({ a: "{alert.host} {steps.search.total}", b: ["{case.id}"] })).toEqual([
      "alert.host",
      "steps.search.total",
      "case.id",
    ]);
  });
});

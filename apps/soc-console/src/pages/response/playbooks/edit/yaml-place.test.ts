import { describe, expect, it } from "vitest";
import { findYamlPlace } from "./yaml-place.ts";

/** `|` is the cursor. */
function place(text: string) {
  const cursor = text.indexOf("|");
  const plain = text.replace("|", "");
  const found = findYamlPlace(plain, cursor);
  return found && { ...found, from: plain.slice(found.from, cursor) };
}

describe("the place of a completion in a playbook", () => {
  it("completes the name of an action", () => {
    expect(place("steps:\n  - id: a\n    action: edr.|")).toEqual({ kind: "action", from: "edr." });
    expect(place("steps:\n  - action: |")).toEqual({ kind: "action", from: "" });
  });

  it("completes the error policy", () => {
    expect(place("steps:\n  - id: a\n    on_error: co|")).toEqual({ kind: "on_error", from: "co" });
  });

  it("completes a parameter of the step's action, which may be above or below", () => {
    const above = "steps:\n  - id: a\n    action: edr.isolate\n    params:\n      en|";
    expect(place(above)).toEqual({ kind: "param", action: "edr.isolate", from: "en" });
    const below = "steps:\n  - id: a\n    params:\n      |\n    action: wait\n  - id: b\n    action: edr.scan";
    expect(place(below)).toEqual({ kind: "param", action: "wait", from: "" });
  });

  it("ignores the action of the next step", () => {
    expect(place("steps:\n  - id: a\n    params:\n      |\n  - id: b\n    action: edr.scan")).toBeUndefined();
  });

  it("completes a field of a step, or of the playbook", () => {
    expect(place("steps:\n  - id: a\n    ret|")).toEqual({ kind: "step-key", from: "ret" });
    expect(place("name: x\nde|")).toEqual({ kind: "top-key", from: "de" });
  });

  it("completes nothing inside a text", () => {
    expect(place("name: Contain |")).toBeUndefined();
  });
});

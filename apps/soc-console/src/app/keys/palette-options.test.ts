import { describe, expect, it } from "vitest";
import type { Command } from "./commands.ts";
import { buildOptions, moveActive } from "./palette-options.ts";

const COMMANDS: Command[] = [
  { id: "alerts.take", label: "Take alert", group: "Alerts", run: () => undefined },
  { id: "go.alerts", label: "Go to alerts", group: "Go", run: () => undefined },
  { id: "alerts.next", label: "Next alert", group: "Alerts", isHidden: true, run: () => undefined },
  { id: "alerts.resolve", label: "Resolve alert", group: "Alerts", run: () => undefined },
];
const FOUND = [{ kind: "Cases", title: "C-118", subtitle: "Credential theft", href: "/cases/118" }];

describe("the options of the palette", () => {
  it("lists all visible commands by group while the text is empty", () => {
    expect(buildOptions("", COMMANDS, []).map(({ id }) => id)).toEqual([
      "command-alerts.take",
      "command-alerts.resolve",
      "command-go.alerts",
    ]);
  });

  it("lists matching commands, best first, then search results", () => {
    expect(buildOptions("goal", COMMANDS, FOUND).map(({ id }) => id)).toEqual([
      "command-go.alerts",
      "found-/cases/118",
    ]);
  });
});

it.each([
  [0, 1, 3, 1],
  [2, 1, 3, 0],
  [0, -1, 3, 2],
  [0, 1, 0, 0],
])("moves from %i by %i among %i to %i", (at, step, count, next) => {
  expect(moveActive(at, step, count)).toBe(next);
});

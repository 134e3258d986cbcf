import { describe, expect, it } from "vitest";
import type { Coverage, CoveredSource, Technique } from "./attack-client.ts";
import {
  countCovered,
  findShownState,
  gradeShade,
  layColumns,
  listShown,
  listTechniques,
  moveCell,
} from "./attack-matrix.ts";

function makeTechnique(id: string, name: string, tactics: string[], rule_count = 0): Technique {
  const state = rule_count > 0 ? "ran" : "none";
  return { id, name, tactics, rule_count, rule_ids: [], state, ran_count: rule_count, alerts_30d: 0 };
}

function makeTactic(id: string, shortname: string, matrix: string) {
  return { id, name: shortname, shortname, matrix, techniques: 0, covered: 0 };
}

const COVERAGE: Coverage = {
  imported_at: null,
  tactics: [
    makeTactic("TA0040", "impact", "enterprise-attack"),
    makeTactic("TA0002", "execution", "enterprise-attack"),
    makeTactic("TA0104", "execution", "ics-attack"),
  ],
  techniques: [
    makeTechnique("T1059", "Command and Scripting Interpreter", ["execution"], 2),
    makeTechnique("T1059.003", "Windows Command Shell", ["execution"]),
    makeTechnique("T1059.001", "PowerShell", ["execution"], 2),
    makeTechnique("T1651", "Cloud Administration Command", ["execution"]),
    makeTechnique("T1490", "Inhibit System Recovery", ["impact"]),
    makeTechnique("T0807", "Command-Line Interface", ["execution"], 1),
  ],
  unknown: [],
  sources: [],
};

const shownIn = (unfolded: readonly string[] = []) =>
  layColumns(COVERAGE, "enterprise-attack").map(({ cells }) => listShown(cells, (key) => unfolded.includes(key)));

describe("the columns of a matrix", () => {
  it("orders tactics as an attack proceeds, with techniques of their own matrix only", () => {
    const columns = layColumns(COVERAGE, "enterprise-attack");
    expect(columns.map(({ tactic }) => tactic.id)).toEqual(["TA0002", "TA0040"]);
    expect(columns.map(({ cells }) => cells.map(({ technique }) => technique.id))).toEqual([
      ["T1651", "T1059"],
      ["T1490"],
    ]);
    expect(layColumns(COVERAGE, "ics-attack").map(({ cells }) => cells.map(({ key }) => key))).toEqual([
      ["TA0104/T0807"],
    ]);
  });

  it("folds sub-techniques below their technique", () => {
    expect(shownIn()[0]?.map(({ technique }) => technique.id)).toEqual(["T1651", "T1059"]);
    expect(shownIn(["TA0002/T1059"])[0]?.map(({ technique }) => technique.id)).toEqual([
      "T1651",
      "T1059",
      "T1059.001",
      "T1059.003",
    ]);
  });

  it("shows a sub-technique on its own if its technique is missing", () => {
    const alone = { ...COVERAGE, techniques: [makeTechnique("T1059.001", "PowerShell", ["execution"])] };
    const [column] = layColumns(alone, "enterprise-attack");
    expect(column?.cells.map(({ technique, isSub }) => [technique.id, isSub])).toEqual([["T1059.001", false]]);
  });
});

it("counts every technique once, with its sub-techniques", () => {
  expect(countCovered(COVERAGE, "enterprise-attack")).toEqual({ covered: 2, total: 5 });
  expect(countCovered(COVERAGE, "ics-attack")).toEqual({ covered: 1, total: 1 });
  expect(listTechniques(COVERAGE, "ics-attack").map(({ id }) => id)).toEqual(["T0807"]);
});

describe("the state of a cell", () => {
  const source: CoveredSource = { source: "edr", rule_count: 1, state: "silent", last_seen: null, silent_since: null };
  const ran = makeTechnique("T1059", "x", [], 1);

  it("shows the service's state, unless only rules of a silent source count", () => {
    expect(findShownState(ran, undefined)).toBe("ran");
    expect(findShownState(ran, { ...source, state: "sending" })).toBe("ran");
    expect(findShownState(ran, source)).toBe("silent");
    expect(findShownState(ran, { ...source, state: "unseen" })).toBe("silent");
    expect(findShownState(makeTechnique("T1", "x", []), source)).toBe("none");
  });

  it("shades a cell darker the more rules ran", () => {
    expect([1, 2, 4, 5, 41].map(gradeShade)).toEqual([1, 2, 2, 3, 3]);
  });
});

describe("arrows", () => {
  const columns = shownIn(["TA0002/T1059"]);
  const move = (key: string | undefined, ...steps: Parameters<typeof moveCell>[2][]) =>
    steps.reduce((at, step) => moveCell(columns, at, step)?.key, key);

  it("starts at the first cell and stops at the edges", () => {
    expect(move(undefined, "down")).toBe("TA0002/T1651");
    expect(move("TA0002/T1651", "up")).toBe("TA0002/T1651");
    expect(move("TA0002/T1651", "down", "down")).toBe("TA0002/T1059.001");
    expect(move("TA0002/T1651", "last", "down")).toBe("TA0002/T1059.003");
    expect(move("TA0002/T1059.003", "first")).toBe("TA0002/T1651");
    expect(move("TA0002/T1059.003", "after", "after")).toBe("TA0040/T1490");
    expect(move("TA0040/T1490", "before")).toBe("TA0002/T1651");
  });

  it("skips a column without techniques", () => {
    const [first = [], last = []] = columns;
    expect(moveCell([first, [], last], "TA0002/T1651", "after")?.key).toBe("TA0040/T1490");
  });
});

import type { Coverage, CoveredSource, Tactic, Technique, TechniqueState } from "./attack-client.ts";

export const MATRICES = ["enterprise-attack", "ics-attack"] as const;
export type MatrixName = (typeof MATRICES)[number];

/** One cell of the matrix: a technique below one of its tactics. */
export interface Cell {
  key: string;
  technique: Technique;
  subs: readonly Cell[];
  isSub: boolean;
}

export interface Column {
  tactic: Tactic;
  cells: readonly Cell[];
}

/** The tactics in the order of attack.mitre.org, from the first step of an attack to the last. */
const TACTIC_ORDER: readonly string[] = [
  "reconnaissance",
  "resource-development",
  "initial-access",
  "execution",
  "persistence",
  "privilege-escalation",
  "defense-evasion",
  "evasion",
  "credential-access",
  "discovery",
  "lateral-movement",
  "collection",
  "command-and-control",
  "exfiltration",
  "inhibit-response-function",
  "impair-process-control",
  "impact",
];

/** Both matrices share short names of tactics, but ICS techniques have their own ids. */
function isInMatrix({ id }: Technique, matrix: MatrixName): boolean {
  return id.startsWith("T0") === (matrix === "ics-attack");
}

function rankTactic({ shortname }: Tactic): number {
  const at = TACTIC_ORDER.indexOf(shortname);
  return at === -1 ? TACTIC_ORDER.length : at;
}

function findParent(id: string): string {
  return id.split(".")[0] ?? id;
}

/** The columns of a matrix: techniques by name as MITRE lists them, their sub-techniques by id below them. */
export function layColumns({ tactics, techniques }: Coverage, matrix: MatrixName): Column[] {
  const own = techniques.filter((technique) => isInMatrix(technique, matrix));
  return tactics
    .filter((tactic) => tactic.matrix === matrix)
    .toSorted((a, b) => rankTactic(a) - rankTactic(b))
    .map((tactic) => ({ tactic, cells: layCells(tactic, own) }));
}

function layCells({ id, shortname }: Tactic, techniques: readonly Technique[]): Cell[] {
  const here = techniques.filter(({ tactics }) => tactics.includes(shortname));
  const ids = new Set(here.map((technique) => technique.id));
  const isSub = (technique: Technique) => technique.id.includes(".") && ids.has(findParent(technique.id));
  const toCell = (technique: Technique, subs: readonly Cell[] = []): Cell => ({
    key: `${id}/${technique.id}`,
    technique,
    subs,
    isSub: isSub(technique),
  });
  return here
    .filter((technique) => !isSub(technique))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((technique) => {
      const subs = here.filter((each) => isSub(each) && findParent(each.id) === technique.id);
      return toCell(
        technique,
        subs.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((each) => toCell(each)),
      );
    });
}

/** The visible cells: sub-techniques only where unfolded. */
export function listShown(cells: readonly Cell[], isUnfolded: (key: string) => boolean): Cell[] {
  return cells.flatMap((cell) => (isUnfolded(cell.key) ? [cell, ...cell.subs] : [cell]));
}

/** Counts each technique and sub-technique of the matrix once, and how many of them have rules. */
export function countCovered({ techniques }: Coverage, matrix: MatrixName): { covered: number; total: number } {
  const own = techniques.filter((technique) => isInMatrix(technique, matrix));
  return { covered: own.filter(({ rule_count }) => rule_count > 0).length, total: own.length };
}

export function listTechniques({ techniques }: Coverage, matrix: MatrixName): Technique[] {
  return techniques.filter((technique) => isInMatrix(technique, matrix)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The displayed state of a cell. The service calls a technique silent while none of its rules has run. If only rules of
 * one source count and that source is silent now, the cell is silent, whatever its rules matched before.
 */
export function findShownState({ state, rule_count }: Technique, only: CoveredSource | undefined): TechniqueState {
  return only && only.state !== "sending" && rule_count > 0 ? "silent" : state;
}

/** Shade of a cell with rules that ran: 1 to 3. */
export function gradeShade(ran: number): 1 | 2 | 3 {
  if (ran >= 5) return 3;
  return ran >= 2 ? 2 : 1;
}

export type Step = "up" | "down" | "before" | "after" | "first" | "last";

/** The cell that an arrow key moves to from `key`; the first cell without a key. Moving sideways keeps the row. */
export function moveCell(columns: readonly (readonly Cell[])[], key: string | undefined, step: Step): Cell | undefined {
  const column = columns.findIndex((cells) => cells.some((cell) => cell.key === key));
  const here = columns[column];
  if (!here) return columns.find((cells) => cells.length > 0)?.[0];
  const row = here.findIndex((cell) => cell.key === key);
  switch (step) {
    case "up":
      return here[Math.max(0, row - 1)];
    case "down":
      return here[Math.min(here.length - 1, row + 1)];
    case "first":
      return here[0];
    case "last":
      return here.at(-1);
    case "before":
      return moveAside(columns, column, row, -1);
    case "after":
      return moveAside(columns, column, row, 1);
    default:
      return step satisfies never;
  }
}

/** Skips empty columns; stays at the edge. */
function moveAside(columns: readonly (readonly Cell[])[], column: number, row: number, by: 1 | -1): Cell | undefined {
  for (let at = column + by; at >= 0 && at < columns.length; at += by) {
    const cells = columns[at];
    if (cells && cells.length > 0) return cells[Math.min(row, cells.length - 1)];
  }
  return columns[column]?.[row];
}

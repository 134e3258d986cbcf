import { Problem } from "@kit/problem";

export interface Tactic {
  id: string;
  name: string;
  /** As tags and techniques name it, such as credential-access. */
  shortname: string;
}

export interface Technique {
  id: string;
  name: string;
  /** Short names of tactics. */
  tactics: string[];
}

/** One of ATT&CK's matrices, such as enterprise-attack. */
export interface Matrix {
  name: string;
  tactics: Tactic[];
  techniques: Technique[];
}

/** The public data as it was imported last. */
export interface AttackData {
  matrices: { all: Matrix[] };
  imported_by: string;
  imported_at: Date;
}

const MOST_ENTRIES = 10_000;
const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;
const TACTIC_ID = /^TA\d{4}$/;

/** Reads the public data: for each matrix its tactics and its active techniques. */
export function readAttack(document: unknown): Matrix[] {
  const matrices = Object.entries(objectOf(document, "attack"));
  if (matrices.length === 0) throw new Problem("invalid", "attack: must have a matrix");
  return matrices.map(([name, value]) => {
    const matrix = objectOf(value, name);
    const tactics = listOf(matrix.tactics, `${name}.tactics`).map((each, at) =>
      tacticOf(each, `${name}.tactics[${at}]`),
    );
    const known = new Set(tactics.map(({ shortname }) => shortname));
    const techniques = listOf(matrix.techniques, `${name}.techniques`).map((each, at) =>
      techniqueOf(each, `${name}.techniques[${at}]`, known),
    );
    return { name, tactics, techniques };
  });
}

function tacticOf(value: unknown, place: string): Tactic {
  const { id, name, shortname } = objectOf(value, place);
  return {
    id: textOf(id, `${place}.id`, TACTIC_ID),
    name: textOf(name, `${place}.name`),
    shortname: textOf(shortname, `${place}.shortname`),
  };
}

function techniqueOf(value: unknown, place: string, known: ReadonlySet<string>): Technique {
  const { id, name, tactics } = objectOf(value, place);
  const shortnames = listOf(tactics, `${place}.tactics`).map((each) => textOf(each, `${place}.tactics`));
  const unknownName = shortnames.find((shortname) => !known.has(shortname));
  if (unknownName !== undefined) {
    throw new Problem("invalid", `${place}.tactics: '${unknownName}' is not a tactic of this matrix`);
  }
  return { id: textOf(id, `${place}.id`, TECHNIQUE_ID), name: textOf(name, `${place}.name`), tactics: shortnames };
}

function objectOf(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new Problem("invalid", `${place}: must be an object`);
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Problem("invalid", `${place}: must be a list`);
  if (value.length > MOST_ENTRIES) throw new Problem("invalid", `${place}: must have at most ${MOST_ENTRIES} entries`);
  return value;
}

function textOf(value: unknown, place: string, form = /^./): string {
  if (typeof value !== "string" || !form.test(value)) {
    throw new Problem("invalid", `${place}: must be a text of the form ${form.source}`);
  }
  return value;
}

import { invalidField } from "@kit/problem";

export interface Tactic {
  id: string;
  name: string;
  /** The name that tags and techniques use, such as credential-access. */
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

/** The ATT&CK data of the last import. */
export interface AttackData {
  matrices: { all: Matrix[] };
  imported_by: string;
  imported_at: Date;
}

const MAX_ENTRIES = 10_000;
const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;
const TACTIC_ID = /^TA\d{4}$/;

/** Parses the ATT&CK data: the tactics and active techniques of each matrix. */
export function readAttack(document: unknown): Matrix[] {
  const matrices = Object.entries(requireObject(document, "attack"));
  if (matrices.length === 0) throw invalidField("attack", "must contain a matrix");
  return matrices.map(([name, value]) => {
    const matrix = requireObject(value, name);
    const tactics = requireList(matrix.tactics, `${name}.tactics`).map((each, at) =>
      readTactic(each, `${name}.tactics[${at}]`),
    );
    const known = new Set(tactics.map(({ shortname }) => shortname));
    const techniques = requireList(matrix.techniques, `${name}.techniques`).map((each, at) =>
      readTechnique(each, `${name}.techniques[${at}]`, known),
    );
    return { name, tactics, techniques };
  });
}

function readTactic(value: unknown, place: string): Tactic {
  const { id, name, shortname } = requireObject(value, place);
  return {
    id: requireText(id, `${place}.id`, TACTIC_ID),
    name: requireText(name, `${place}.name`),
    shortname: requireText(shortname, `${place}.shortname`),
  };
}

function readTechnique(value: unknown, place: string, known: ReadonlySet<string>): Technique {
  const { id, name, tactics } = requireObject(value, place);
  const shortnames = requireList(tactics, `${place}.tactics`).map((each) => requireText(each, `${place}.tactics`));
  const unknownName = shortnames.find((shortname) => !known.has(shortname));
  if (unknownName !== undefined) {
    throw invalidField(`${place}.tactics`, `'${unknownName}' is not a tactic of this matrix`);
  }
  return {
    id: requireText(id, `${place}.id`, TECHNIQUE_ID),
    name: requireText(name, `${place}.name`),
    tactics: shortnames,
  };
}

function requireObject(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalidField(place, "must be an object");
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function requireList(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidField(place, "must be a list");
  if (value.length > MAX_ENTRIES) throw invalidField(place, `must have at most ${MAX_ENTRIES} entries`);
  return value;
}

function requireText(value: unknown, place: string, form = /^./): string {
  if (typeof value !== "string" || !form.test(value)) {
    throw invalidField(place, `must be a text of the form ${form.source}`);
  }
  return value;
}

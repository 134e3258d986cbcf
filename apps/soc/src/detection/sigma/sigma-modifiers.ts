import { invalidField } from "@kit/problem";

const ENCODINGS = ["base64", "base64offset", "wide", "utf16le", "utf16be", "utf16", "windash"] as const;
const COMPARISONS = ["gt", "gte", "lt", "lte"] as const;
const POSITIONS = ["contains", "startswith", "endswith"] as const;
const KINDS = ["re", "cidr", "exists", "fieldref"] as const;
const REGEX_FLAGS = ["i", "m", "s"] as const;

export type Encoding = (typeof ENCODINGS)[number];
type NumberComparison = (typeof COMPARISONS)[number];
type Position = (typeof POSITIONS)[number];

/** The meaning of the modifiers after a field name. */
export interface Modifiers {
  kind: "text" | "number" | (typeof KINDS)[number];
  comparison: NumberComparison | undefined;
  position: Position | undefined;
  /** In the order of application. */
  encodings: readonly Encoding[];
  /** All values must match, not just one. */
  needsAll: boolean;
  isCased: boolean;
  flags: ReadonlySet<string>;
}

export function parseModifiers(key: string, names: readonly string[]): Modifiers {
  const refuse = (why: string) => invalidField(key, why);
  const kinds = names.filter((name) => isOneOf(KINDS, name) || isOneOf(COMPARISONS, name));
  const position = names.filter((name) => isOneOf(POSITIONS, name));
  const flags = names.filter((name) => isOneOf(REGEX_FLAGS, name));
  for (const name of names) {
    if (name === "expand") throw refuse("modifier 'expand' needs the values of placeholders, which are unknown here");
    if (!isKnown(name)) throw refuse(`modifier '${name}' is not supported`);
  }
  const [kind = "text", ...moreKinds] = kinds;
  const contradiction = [...moreKinds, ...position.slice(1)][0];
  if (contradiction !== undefined) throw refuse(`modifier '${contradiction}' contradicts the one before it`);
  const encodings = names.filter((name) => isOneOf(ENCODINGS, name));
  const idle = idleModifier(kind, { position, flags, encodings });
  if (idle !== undefined) throw refuse(`modifier '${idle}' has no meaning together with the others`);
  return {
    kind: isOneOf(KINDS, kind) ? kind : kind === "text" ? "text" : "number",
    comparison: isOneOf(COMPARISONS, kind) ? kind : undefined,
    position: position[0],
    encodings,
    needsAll: names.includes("all"),
    isCased: names.includes("cased"),
    flags: new Set(flags),
  };
}

function isKnown(name: string): boolean {
  const others = ["all", "cased"];
  return [...ENCODINGS, ...COMPARISONS, ...POSITIONS, ...KINDS, ...REGEX_FLAGS, ...others].some(
    (each) => each === name,
  );
}

/** Finds a modifier without effect, which is certainly a mistake of the rule's author. */
function idleModifier(
  kind: string,
  { position, flags, encodings }: Record<"position" | "flags" | "encodings", readonly string[]>,
): string | undefined {
  if (kind !== "re" && flags.length > 0) return flags[0];
  if (kind !== "text" && encodings.length > 0) return encodings[0];
  return kind !== "text" && kind !== "fieldref" ? position[0] : undefined;
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((each) => each === name);
}

import type { Edge, Regex } from "./condition-regex.ts";
import { type Range, WORD_CHARACTERS } from "./condition-regex-set.ts";

/** `next` and `other` are indexes of steps. */
type Step =
  | { kind: "set"; ranges: readonly Range[]; next: number }
  | { kind: "either"; next: number; other: number }
  | { kind: "edge"; edge: Edge; next: number }
  | { kind: "found" };

const LINE_FEED: Range = [0x0a, 0x0a];
const MAX_STATES = 500;
const UNKNOWN = -1;
const FOUND = -2;
const EXHAUSTED = -3;

/** How many steps may still be visited; shared by all expressions that are tested on one event. */
export interface StepBudget {
  left: number;
}

/**
 * About a tenth of a second. A longer test of one event would delay all others, and the stream's reader would lose its
 * lease.
 */
export const MAX_STEPS = 500_000;

/**
 * Returns a function that tests whether an expression matches some part of a text. It simulates all alternatives in
 * parallel, as RE2 does, so the time is linear in the text for every expression; the states of the automaton are
 * created on demand. Once the budget is exhausted, the expression does not match.
 */
export function toRegexMatcher(regex: Regex, budget: StepBudget): (text: string) => boolean {
  const steps = compileSteps(regex);
  const alphabet = buildAlphabet(steps);
  const machine = createMachine(steps, alphabet, budget);
  return (text) => {
    let state = machine.start();
    for (let place = 0; place < text.length; place += 1) {
      let code = text.charCodeAt(place);
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(place) ?? code;
        if (code > 0xffff) place += 1;
      }
      state = machine.next(state, alphabet.letterOf(code));
      if (state < 0) return state === FOUND;
    }
    return machine.next(state, alphabet.end) === FOUND;
  };
}

/** Compiles an expression into steps; step 0 is the first, and the "found" step is the end. */
function compileSteps(regex: Regex): Step[] {
  const steps: Step[] = [{ kind: "either", next: 0, other: 0 }];
  const found = steps.push({ kind: "found" }) - 1;
  const first = addSteps(steps, regex, found);
  steps[0] = { kind: "either", next: first, other: first };
  return steps;
}

/** Adds the steps that come before the step `next`, and returns the index of their start. */
function addSteps(steps: Step[], regex: Regex, next: number): number {
  switch (regex.kind) {
    case "set":
      return steps.push({ kind: "set", ranges: regex.ranges, next }) - 1;
    case "edge":
      return steps.push({ kind: "edge", edge: regex.edge, next }) - 1;
    case "sequence":
      return regex.of.reduceRight((following, each) => addSteps(steps, each, following), next);
    case "choice":
      return regex.of
        .map((each) => addSteps(steps, each, next))
        .reduceRight((other, start) => steps.push({ kind: "either", next: start, other }) - 1);
    case "repeat":
      return addRepeat(steps, regex, next);
    default:
      return regex satisfies never;
  }
}

function addRepeat(steps: Step[], { of, min, max }: Extract<Regex, { kind: "repeat" }>, next: number): number {
  let start = next;
  if (max === undefined) {
    const loop = steps.push({ kind: "either", next, other: next }) - 1;
    steps[loop] = { kind: "either", next: addSteps(steps, of, loop), other: next };
    start = loop;
  } else {
    for (let count = min; count < max; count += 1) {
      start = steps.push({ kind: "either", next: addSteps(steps, of, start), other: next }) - 1;
    }
  }
  for (let count = 0; count < min; count += 1) start = addSteps(steps, of, start);
  return start;
}

/** Characters that no step distinguishes share one letter. */
interface Alphabet {
  size: number;
  /** The letter for the end of the text. */
  end: number;
  letterOf: (code: number) => number;
  /** One sample character of each letter. */
  samples: readonly number[];
}

function buildAlphabet(steps: readonly Step[]): Alphabet {
  const edges = steps.some(({ kind }) => kind === "edge") ? [LINE_FEED, ...WORD_CHARACTERS] : [];
  const ranges = steps.flatMap((step) => (step.kind === "set" ? step.ranges : []));
  const cuts = new Set([0, ...[...ranges, ...edges].flatMap(([first, last]) => [first, last + 1])]);
  const samples = [...cuts].toSorted((a, b) => a - b);
  const find = (code: number) => {
    let low = 0;
    let high = samples.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((samples[middle] ?? 0) <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const ascii = Uint16Array.from({ length: 128 }, (_, code) => find(code));
  return {
    size: samples.length + 1,
    end: samples.length,
    letterOf: (code) => (code < 128 ? (ascii[code] ?? 0) : find(code)),
    samples,
  };
}

/** The class of a character as seen by an adjacent anchor. */
type Kind = "none" | "line feed" | "word" | "other";

interface State {
  /** The active steps before anchors are resolved, because anchors depend on the next character. */
  steps: Uint16Array;
  before: Kind;
  next: Int32Array;
}

function createMachine(steps: readonly Step[], { size, end, samples }: Alphabet, budget: StepBudget) {
  const hasEdges = steps.some(({ kind }) => kind === "edge");
  const follow = createFollower(steps);
  let states: State[] = [];
  let places = new Map<string, number>();

  function findOrAddState(active: Uint16Array, before: Kind): number {
    const key = before + Buffer.from(active.buffer, active.byteOffset, active.byteLength).toString("latin1");
    const known = places.get(key);
    if (known !== undefined) return known;
    const place = states.push({ steps: active, before, next: new Int32Array(size).fill(UNKNOWN) }) - 1;
    places.set(key, place);
    return place;
  }

  function kindOf(letter: number): Kind {
    if (letter === end) return "none";
    if (!hasEdges) return "other";
    const code = samples[letter] ?? 0;
    if (code === LINE_FEED[0]) return "line feed";
    return isIn(WORD_CHARACTERS, code) ? "word" : "other";
  }

  function compute(state: State, letter: number): number {
    const after = kindOf(letter);
    const reached = follow(state, after);
    if (reached === "found") return FOUND;
    budget.left -= reached.length;
    const code = letter === end ? -1 : (samples[letter] ?? 0);
    const active = new Set([0]);
    for (const step of reached) if (isIn(step.ranges, code)) active.add(step.next);
    if (states.length >= MAX_STATES) {
      states = [];
      places = new Map();
    }
    return findOrAddState(Uint16Array.from(active).sort(), after);
  }

  return {
    start: () => findOrAddState(Uint16Array.of(0), "none"),
    next(place: number, letter: number): number {
      const state = states[place];
      if (!state) throw new Error("unknown state");
      const known = state.next[letter] ?? UNKNOWN;
      if (known !== UNKNOWN) return known;
      if (budget.left <= 0) return EXHAUSTED;
      const next = compute(state, letter);
      state.next[letter] = next;
      return next;
    },
  };
}

type SetStep = Extract<Step, { kind: "set" }>;

/**
 * Returns a function that finds the set steps that are reachable without consuming a character, or "found" if the end is
 * reachable.
 */
function createFollower(steps: readonly Step[]): (state: State, after: Kind) => SetStep[] | "found" {
  // The pass in which each step was last visited; cheaper than a new Set for every character.
  const visited = new Uint32Array(steps.length);
  let turn = 0;
  function pushFollowing(step: Step | undefined, open: number[], before: Kind, after: Kind): void {
    if (step?.kind === "either") open.push(step.next, step.other);
    else if (step?.kind === "edge" && isEdge(step.edge, before, after)) open.push(step.next);
  }
  function startTurn(): void {
    turn = turn === 0xff_ff_ff_ff ? 1 : turn + 1;
    if (turn === 1) visited.fill(0);
  }
  return ({ steps: from, before }, after) => {
    startTurn();
    const open = Array.from(from);
    const reached: SetStep[] = [];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (visited[place] === turn) continue;
      visited[place] = turn;
      const step = steps[place];
      if (step?.kind === "found") return "found";
      if (step?.kind === "set") reached.push(step);
      else pushFollowing(step, open, before, after);
    }
    return reached;
  };
}

function isEdge(edge: Edge, before: Kind, after: Kind): boolean {
  switch (edge) {
    case "start":
      return before === "none";
    case "end":
      return after === "none";
    case "line start":
      return before === "none" || before === "line feed";
    case "line end":
      return after === "none" || after === "line feed";
    case "word":
      return (before === "word") !== (after === "word");
    default:
      return edge satisfies never;
  }
}

function isIn(ranges: readonly Range[], code: number): boolean {
  for (const range of ranges) if (range[0] <= code && code <= range[1]) return true;
  return false;
}

import { resolveImport } from "./layout.ts";
import type { Rule } from "./rule.ts";
import type { SourceFile } from "./source-file.ts";

type Graph = ReadonlyMap<string, readonly string[]>;

interface Visit {
  name: string;
  order: number;
  /** The earliest visit on the stack that this one leads back to. */
  earliest: number;
  nextEdge: number;
}

/**
 * The strongly connected components of more than one node, largest first, each in order of names. Tarjan's algorithm
 * with a stack of its own, because a long chain of imports would overflow the call stack.
 */
function findCycles(graph: Graph): string[][] {
  const visits = new Map<string, Visit>();
  const open = new Set<string>();
  const stack: string[] = [];
  const components: string[][] = [];

  function enter(name: string): Visit {
    const visit = { name, order: visits.size, earliest: visits.size, nextEdge: 0 };
    visits.set(name, visit);
    open.add(name);
    stack.push(name);
    return visit;
  }

  /** What was opened since the root of a component belongs to it. */
  function close(root: string): void {
    const members = stack.splice(stack.lastIndexOf(root));
    for (const member of members) open.delete(member);
    if (members.length > 1) components.push(members.toSorted());
  }

  function leave(visit: Visit, parent: Visit | undefined): void {
    if (parent) parent.earliest = Math.min(parent.earliest, visit.earliest);
    if (visit.earliest === visit.order) close(visit.name);
  }

  /** The visit to continue with: a new one, or the same one when the edge leads to a node that was visited before. */
  function step(visit: Visit, next: string): Visit {
    const seen = visits.get(next);
    if (!seen) return enter(next);
    if (open.has(next)) visit.earliest = Math.min(visit.earliest, seen.order);
    return visit;
  }

  function follow(start: string): void {
    const trail = [enter(start)];
    for (let visit = trail.at(-1); visit; visit = trail.at(-1)) {
      const next = graph.get(visit.name)?.[visit.nextEdge];
      visit.nextEdge += 1;
      if (next === undefined) leave(visit, trail.at(-2));
      const following = next === undefined ? undefined : step(visit, next);
      if (!following) trail.pop();
      else if (following !== visit) trail.push(following);
    }
  }

  for (const name of graph.keys()) if (!visits.has(name)) follow(name);
  return components.toSorted((left, right) => right.length - left.length);
}

/** Which file imports which, types included; imports of other packages are left out. */
function importGraph(files: readonly SourceFile[]): Graph {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map((file) => {
      const targets = file.imports.map(({ specifier }) => resolveImport(file, specifier));
      const imported = new Set(targets.filter((target) => target !== undefined));
      return [file.path, [...imported].filter((target) => known.has(target))];
    }),
  );
}

export const importCycles: Rule = {
  name: "files form no import cycle",
  because: "files that import each other, even types only, can be read, tested and moved only together",
  check: ({ workspaces, files }) =>
    workspaces.flatMap(({ dir }) =>
      findCycles(importGraph(files.filter(({ packageDir }) => packageDir === dir))).map(
        (members) => `${members[0]}:1 is in a cycle of ${members.length} files: ${members.join(", ")}`,
      ),
    ),
};

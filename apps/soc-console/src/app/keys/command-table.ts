import type { Command } from "./commands.ts";
import { type Binding, bindKeys, findClashes } from "./keymap.ts";

/** The commands of everything that is mounted now. */
export interface CommandTable {
  /** Puts the commands of one part in place of those it brought before. */
  put: (owner: object, commands: readonly Command[]) => void;
  remove: (owner: object) => void;
  /** The commands to show. Stays the same object until something visible changes. */
  list: () => readonly Command[];
  find: (id: string) => Command | undefined;
  /** The chords, of the part that came last first. */
  bindings: () => readonly Binding[];
  subscribe: (listener: () => void) => () => void;
}

/** What of a command can be seen. Its `run` is looked up when it runs, so a new one alone repaints nothing. */
function spell({ run: _, ...visible }: Command): string {
  return JSON.stringify(visible);
}

function isSame(one: readonly Command[], other: readonly Command[]): boolean {
  return one.length === other.length && one.map(spell).join() === other.map(spell).join();
}

/** Throws when two commands of one part share an id or a key: one of them would never run. */
export function refuseClashes(commands: readonly Command[]): void {
  const ids = commands.map(({ id }) => id);
  const doubled = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`);
  const problems = [...doubled, ...findClashes(bindKeys(commands))];
  if (problems.length > 0) throw new Error(`commands: ${problems.join("; ")}`);
}

export function createCommandTable(): CommandTable {
  const parts = new Map<object, readonly Command[]>();
  const listeners = new Set<() => void>();
  let shown: readonly Command[] = [];
  let bindings: readonly Binding[] = [];

  function find(id: string): Command | undefined {
    return [...parts.values()]
      .toReversed()
      .flat()
      .find((command) => command.id === id);
  }

  /** Of two commands with one id the later part's is shown; a key that a later part took is shown there only. */
  function refresh(): void {
    const latestFirst = [...parts.values()].toReversed().flat();
    const unique = latestFirst.filter(({ id }, at) => latestFirst.findIndex((other) => other.id === id) === at);
    const taken = new Set<string>();
    const withFreeKeys = unique.map((command) => {
      const keys = command.keys?.filter((chord) => !taken.has(chord));
      for (const chord of keys ?? []) taken.add(chord);
      return { ...command, keys, run: () => find(command.id)?.run() };
    });
    bindings = bindKeys(withFreeKeys);
    shown = withFreeKeys;
    for (const listener of listeners) listener();
  }

  return {
    put(owner, commands) {
      const before = parts.get(owner);
      parts.set(owner, commands);
      if (!before || !isSame(before, commands)) refresh();
    },
    remove(owner) {
      parts.delete(owner);
      refresh();
    },
    list: () => shown,
    find,
    bindings: () => bindings,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

import type { Command } from "./commands.ts";
import { type Binding, bindKeys, findClashes } from "./keymap.ts";

/** The commands of all mounted parts. */
export type CommandTable = ReturnType<typeof createCommandTable>;

/** The visible properties of a command. `run` is looked up when it runs, so that a new function causes no render. */
function spell({ run: _, ...visible }: Command): string {
  return JSON.stringify(visible);
}

function isSame(one: readonly Command[], other: readonly Command[]): boolean {
  return one.length === other.length && one.map(spell).join() === other.map(spell).join();
}

/** Throws if two commands of one part share an id or a key: one of them would never run. */
export function refuseClashes(commands: readonly Command[]): void {
  const ids = commands.map(({ id }) => id);
  const doubled = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`);
  const problems = [...doubled, ...findClashes(bindKeys(commands))];
  if (problems.length > 0) throw new Error(`commands: ${problems.join("; ")}`);
}

export function createCommandTable() {
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

  /** If two commands share an id, the later part's is shown. A key that a later part overrides is shown only there. */
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
    /** Replaces the commands that a part registered before. */
    put(owner: object, commands: readonly Command[]): void {
      const before = parts.get(owner);
      parts.set(owner, commands);
      if (!before || !isSame(before, commands)) refresh();
    },
    remove(owner: object): void {
      parts.delete(owner);
      refresh();
    },
    /** The commands to show. The object stays the same until something visible changes. */
    list: (): readonly Command[] => shown,
    find,
    /** The chords, those of the most recently mounted part first. */
    bindings: (): readonly Binding[] => bindings,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

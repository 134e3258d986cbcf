import type { Task } from "../cases-client.ts";

type TaskPosition = Pick<Task, "id" | "position">;

/** Gap between two tasks, so that most moves change one task. */
const STEP = 10;
const MAX_POSITION = 1_000_000;

export interface NewPosition {
  id: string;
  position: number;
}

/** The positions that change when the task at `from` moves to `to`; empty if it stays. */
export function moveTask(tasks: readonly TaskPosition[], from: number, to: number): NewPosition[] {
  const moved = tasks[from];
  if (!moved || to < 0 || to >= tasks.length || from === to) return [];
  const order = tasks.filter((_, index) => index !== from).toSpliced(to, 0, moved);
  const before = order[to - 1]?.position ?? (to === 0 ? -1 : null);
  const after = order[to + 1]?.position ?? (to === order.length - 1 ? MAX_POSITION + 1 : null);
  if (before !== null && after !== null && after - before > 1) {
    const position = to === order.length - 1 ? Math.min(before + STEP, MAX_POSITION) : Math.floor((before + after) / 2);
    return [{ id: moved.id, position }];
  }
  // No gap, or tasks without a position: renumber all, and return only the changed ones.
  return order
    .map(({ id }, index) => ({ id, position: index * STEP }))
    .filter(({ id, position }) => tasks.find((task) => task.id === id)?.position !== position);
}

/** The position after the last task. */
export function lastPosition(tasks: readonly TaskPosition[]): number {
  const highest = tasks.reduce((max, { position }) => Math.max(max, position ?? 0), 0);
  return tasks.length === 0 ? 0 : Math.min(highest + STEP, MAX_POSITION);
}

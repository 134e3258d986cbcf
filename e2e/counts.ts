/** With `npm run prove -- <name>`. */
export const isFull = process.env.PROVE === "full";

/** The number of repetitions: few in every build, the full number with `npm run prove -- <name>`. */
export function count({ ci, full }: { ci: number; full: number }): number {
  return isFull ? full : ci;
}

/** The cases to run: some in every build, all with `npm run prove -- <name>`. */
export function select<Case>({ ci, full }: { ci: readonly Case[]; full: readonly Case[] }): readonly Case[] {
  return isFull ? full : ci;
}

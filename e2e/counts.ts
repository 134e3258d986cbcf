/** The number of repetitions: few in every build, the full number with `npm run prove -- <name>`. */
export function count({ ci, full }: { ci: number; full: number }): number {
  return process.env.PROVE === "full" ? full : ci;
}

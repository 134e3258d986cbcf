/** How often a proof is repeated: once or a few times in every build, in full with `npm run prove -- <name>`. */
export function count({ ci, full }: { ci: number; full: number }): number {
  return process.env.PROVE === "full" ? full : ci;
}

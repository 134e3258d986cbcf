/** How often a proof is repeated: a few times in every build, in full when `npm run prove:…` asks for it. */
export function count({ ci, full }: { ci: number; full: number }): number {
  return process.env.PROVE === "full" ? full : ci;
}

/** The two texts of a unified diff, as far as it contains them. */
export function splitUnified(unified: string): { before: string; after: string } {
  const lines = unified
    .split("\n")
    .filter((line) => !/^(?:--- |\+\+\+ |@@|\\)/.test(line))
    .filter((line, at, all) => line !== "" || at < all.length - 1);
  const take = (other: string) =>
    lines
      .filter((line) => !line.startsWith(other))
      .map((line) => line.slice(1))
      .join("\n");
  return { before: take("+"), after: take("-") };
}

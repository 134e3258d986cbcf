/** The value that the given share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The median and the maximum of a list of times, as readable text. */
export function summaryOf(values: readonly number[]): string {
  const [median, worst] = [quantile(values, 0.5), Math.max(...values)];
  return `median ${Math.round(median)} ms, worst ${Math.round(worst)} ms`;
}

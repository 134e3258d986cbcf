export interface ComparedPreview {
  total: number;
  is_capped: boolean;
  logs: readonly { id: string }[];
  histogram: readonly { at: string; count: number }[];
}

export interface PreviewDifference {
  added: number;
  removed: number;
  /** False: a lower bound. */
  isExact: boolean;
}

/**
 * The matches that appear and disappear compared with another version of the rule over the same time. Compares logs if
 * both responses are complete; otherwise compares the counts per interval, which may hide a change within one interval.
 */
export function comparePreviews(before: ComparedPreview, after: ComparedPreview): PreviewDifference {
  if (before === after) return { added: 0, removed: 0, isExact: true };
  const hasAll = ({ logs, total, is_capped }: ComparedPreview) => !is_capped && logs.length === total;
  if (hasAll(before) && hasAll(after)) {
    const [former, later] = [before, after].map(({ logs }) => new Set(logs.map(({ id }) => id)));
    const count = (one = new Set<string>(), other = new Set<string>()) =>
      [...one].filter((id) => !other.has(id)).length;
    return { added: count(later, former), removed: count(former, later), isExact: true };
  }
  const differences = after.histogram.map(({ count }, at) => count - (before.histogram[at]?.count ?? 0));
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    added: sum(differences.filter((value) => value > 0)),
    removed: Math.abs(sum(differences.filter((value) => value < 0))),
    isExact: false,
  };
}

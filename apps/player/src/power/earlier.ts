/** The earlier of two instants, either of which may be undefined. */
export function pickEarlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

interface Day {
  epochs: readonly number[] | null;
  next: { index: number; epoch: number } | null;
}

// By its place in the API document. The dashboard imports this file, and would get the whole schema with its list.
const SUNRISE = 1;

/** The next of the five prayers, in epoch seconds. The next time of the day may be sunrise, at which no prayer is said. */
export function findNextPrayer({ epochs, next }: Day): { index: number; epoch: number } | undefined {
  if (!next) return undefined;
  const { index, epoch } = next;
  if (index !== SUNRISE) return { index, epoch };
  const dhuhr = epochs?.[SUNRISE + 1];
  return dhuhr === undefined ? undefined : { index: SUNRISE + 1, epoch: dhuhr };
}

const DAY_MS = 86_400_000;

/** Days since 1970 of a date such as 2026-11-15. */
export function toEpochDays(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

export function toIsoDate(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 10);
}

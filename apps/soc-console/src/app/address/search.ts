export type AddressSearch = Readonly<Record<string, string>>;

/** `q=host%3Afin&from=-24h`: plain text without quotes or JSON, so that people can read and write it. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function formatSearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(changeSearch({}, search));
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** An empty or missing value removes the parameter. */
export function changeSearch(
  before: AddressSearch,
  changes: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const after: Record<string, string> = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    if (typeof value === "string" && value !== "") after[name] = value;
    else delete after[name];
  }
  return after;
}

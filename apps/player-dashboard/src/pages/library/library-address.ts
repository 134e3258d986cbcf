const PAGE = "/library";

/** The reciter whose surahs the address shows; undefined for the list of reciters. */
export function parseReciter(path: string): string | undefined {
  const part = path.slice(PAGE.length + 1).split("/")[0];
  if (!part) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    // An incomplete escape matches no reciter.
    return part;
  }
}

export function buildReciterAddress(reciter: string): string {
  return `${PAGE}/${encodeURIComponent(reciter)}`;
}

/** A file on the memory card that may be opened: its place was checked and lies inside the card's mount. */
export interface CardFile {
  /** Where the file really is, links followed. For the engine only; it never leaves the service. */
  absolute: string;
  /** As clients know it: relative to the card, with slashes. */
  path: string;
  /** "" when the file belongs to no reciter. */
  reciter: string;
  /** 1..114, or 0 when the name does not tell. */
  surah: number;
}

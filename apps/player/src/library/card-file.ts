/** A file on the memory card that may be opened: its path was checked and lies inside the card's mount. */
export interface CardFile {
  /** The real path, links resolved. For the engine only; it never leaves the service. */
  absolute: string;
  /** The path for clients: relative to the card, with slashes. */
  path: string;
  /** "" when the file belongs to no reciter. */
  reciter: string;
  /** 1..114, or 0 when the file name has no surah number. */
  surah: number;
}

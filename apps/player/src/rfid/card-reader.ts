/** What the cards feature needs from a card reader. Drivers implement it; one contract suite tests all of them. */
export interface CardReader {
  /**
   * Opens the reader. Rejects with a Problem that names what is missing, and keeps trying: "back" reports success.
   * A card that is already present does not count as a tap.
   */
  start(): Promise<void>;
  /** No events follow. Safe to call twice. */
  close(): Promise<void>;
  /** Returns the function that stops listening. */
  onEvent(listener: (event: CardReaderEvent) => void): () => void;
}

/** UIDs have the form of `parseUid`. An outage neither lifts nor taps a card that stays on the reader. */
export type CardReaderEvent =
  | { type: "tap"; uid: string }
  | { type: "lift"; uid: string }
  /** Cards are not detected until "back". */
  | { type: "lost"; why: string }
  | { type: "back" };

/** What the cards feature needs from any reader. Drivers implement it; one contract suite holds for all of them. */
export interface CardReader {
  /**
   * Opens the reader. Rejects with a Problem that names what is missing, and goes on trying: "back" tells of success.
   * A card that lies there already is not tapped.
   */
  start(): Promise<void>;
  /** Nothing is told any more. Safe to call twice. */
  close(): Promise<void>;
  /** Returns the function that stops listening. */
  onEvent(listener: (event: CardReaderEvent) => void): () => void;
}

/** UIDs are as `uidOf` writes them. A card that lies through an outage is neither lifted nor tapped by it. */
export type CardReaderEvent =
  | { type: "tap"; uid: string }
  | { type: "lift"; uid: string }
  /** Cards are not seen any more, until "back". */
  | { type: "lost"; why: string }
  | { type: "back" };

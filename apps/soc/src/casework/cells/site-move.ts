import type { SiteMove } from "./cell.ts";

/** The places in the streams of logs, by partition. */
export type StreamEnds = Readonly<Record<string, string>>;

export interface KnownMove extends SiteMove {
  frozen_at: Date;
  stream_ends: StreamEnds | null;
}

/** The sites that this cell gives to others. */
export interface SiteMoves {
  find(siteId: string): Promise<KnownMove | undefined>;
  /** Waits for the changes in progress; later ones see the freeze. Nothing happens when the site is in here already. */
  freeze(move: Pick<SiteMove, "site_id" | "site_name" | "to_cell">): Promise<void>;
  /** Keeps the ends of the streams, once. */
  keepEnds(siteId: string, ends: StreamEnds): Promise<void>;
  end(siteId: string, at: Date): Promise<void>;
  delete(siteId: string): Promise<void>;
}

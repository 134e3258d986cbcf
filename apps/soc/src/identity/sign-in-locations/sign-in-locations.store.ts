import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { MAX_PLACES, type Place } from "./sign-in-location.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    known_places: Place & { username: string; last_seen_at: Date };
  }
}

export interface PlacesWriter {
  /** Stores the place of a sign-in. Returns true if the user has signed in before, but never from there. */
  note(username: string, place: Place, now: Date): Promise<boolean>;
}

export function createPlacesWriter(tx: Db): PlacesWriter {
  return {
    async note(username, { device, network }, now) {
      const { rows } = await sql<{ is_added: boolean; had_others: boolean }>`
        INSERT INTO known_places (username, device, network, last_seen_at)
        VALUES (${username}, ${device}, ${network}, ${now})
        ON CONFLICT (username, device, network) DO UPDATE SET last_seen_at = excluded.last_seen_at
        RETURNING xmax = 0 AS is_added,
          EXISTS (SELECT FROM known_places AS other WHERE other.username = known_places.username) AS had_others
      `.execute(tx);
      const [noted] = rows;
      if (noted?.is_added !== true) return false;
      await sql`
        DELETE FROM known_places WHERE username = ${username} AND (device, network) IN (
          SELECT device, network FROM known_places WHERE username = ${username}
          ORDER BY last_seen_at DESC OFFSET ${MAX_PLACES})`.execute(tx);
      return noted.had_others;
    },
  };
}

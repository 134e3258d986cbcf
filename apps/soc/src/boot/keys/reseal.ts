import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Seal } from "../../foundation/records/seal.ts";
import { formatSubject } from "../../identity/module.ts";

const BATCH_SIZE = 500;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

interface SealedRow {
  id: string;
  sealed: string;
}

interface SealedPlace {
  /** The rows after this id, in order, that have a secret. */
  list(after: string): Promise<SealedRow[]>;
  /** Replaces a secret unless it has changed in the meantime. */
  replace(row: SealedRow, sealed: string): Promise<void>;
  subjectOf(row: SealedRow): string;
}

export interface ResealResult {
  resealed: number;
  /** Secrets that no key of this host can decrypt. */
  unreadable: number;
}

/**
 * Encrypts every stored secret that `next` cannot decrypt with `next`, after decrypting it with one of the other keys.
 * Safe to repeat.
 */
export async function resealSecrets(db: Db, next: Seal, all: Seal): Promise<ResealResult> {
  const done = { resealed: 0, unreadable: 0 };
  for (const place of [placeOfChannels(db), placeOfFactors(db)]) {
    for await (const row of listAll(place)) {
      const subject = place.subjectOf(row);
      if (next.open(subject, row.sealed) !== undefined) continue;
      const text = all.open(subject, row.sealed);
      if (text !== undefined) await place.replace(row, next.close(subject, text));
      done[text === undefined ? "unreadable" : "resealed"] += 1;
    }
  }
  return done;
}

async function* listAll(place: SealedPlace): AsyncGenerator<SealedRow> {
  for (let after = BEFORE_ALL; ; ) {
    const rows = await place.list(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

function placeOfChannels(db: Db): SealedPlace {
  return {
    async list(after) {
      const { rows } = await sql<SealedRow>`
        SELECT id, settings ->> 'sealed' AS sealed FROM notification_channels
        WHERE id > ${after}::uuid AND settings ? 'sealed' ORDER BY id LIMIT ${BATCH_SIZE}`.execute(db);
      return rows;
    },
    async replace({ id, sealed }, next) {
      await sql`UPDATE notification_channels SET settings = jsonb_set(settings, '{sealed}', to_jsonb(${next}::text))
        WHERE id = ${id} AND settings ->> 'sealed' = ${sealed}`.execute(db);
    },
    subjectOf: ({ id }) => id,
  };
}

function placeOfFactors(db: Db): SealedPlace {
  return {
    async list(after) {
      const { rows } = await sql<SealedRow>`
        SELECT id, sealed FROM user_factors
        WHERE id > ${after}::uuid AND sealed IS NOT NULL ORDER BY id LIMIT ${BATCH_SIZE}`.execute(db);
      return rows;
    },
    async replace({ id, sealed }, next) {
      await sql`UPDATE user_factors SET sealed = ${next} WHERE id = ${id} AND sealed = ${sealed}`.execute(db);
    },
    subjectOf: formatSubject,
  };
}

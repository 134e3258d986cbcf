/**
 * Each text takes the database one version further, in one transaction. Only append: a device in the field has run
 * the earlier ones. Ids are never reused (AUTOINCREMENT), instants are epoch seconds, and times of day do not occur.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;

  CREATE TABLE favorites (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL CHECK (type IN ('surah', 'stream')),
    reciter TEXT NOT NULL DEFAULT '',
    surah INTEGER NOT NULL DEFAULT 0,
    url TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL DEFAULT '',
    play_count INTEGER NOT NULL DEFAULT 0,
    last_played INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX favorites_reciter_surah_idx ON favorites (reciter, surah) WHERE type = 'surah';
  CREATE UNIQUE INDEX favorites_url_idx ON favorites (url) WHERE type = 'stream';

  CREATE TABLE stations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    url TEXT NOT NULL UNIQUE,
    last_played INTEGER,
    last_ok INTEGER
  ) STRICT;

  CREATE TABLE resume_position (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    path TEXT NOT NULL,
    reciter TEXT NOT NULL,
    surah INTEGER NOT NULL,
    position_ms INTEGER NOT NULL,
    was_running INTEGER NOT NULL,
    saved_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE hifz_days (
    date TEXT PRIMARY KEY,
    count INTEGER NOT NULL
  ) STRICT;
  `,
];

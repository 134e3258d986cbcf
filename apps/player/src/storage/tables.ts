/**
 * Each text upgrades the database by one version; all that are missing run in one transaction. Only append: devices in
 * the field have run the earlier ones. Never change the meaning of a column: an older version takes over what it knows
 * of a newer file. Ids are never reused (AUTOINCREMENT), instants are epoch seconds, and times of day do not occur.
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
  `
  CREATE TABLE schedules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    hour INTEGER,
    minute INTEGER,
    anchor TEXT,
    days INTEGER NOT NULL,
    target TEXT NOT NULL,
    volume INTEGER,
    fade_in_s INTEGER NOT NULL,
    duration_min INTEGER NOT NULL,
    once INTEGER NOT NULL,
    enabled INTEGER NOT NULL,
    last_run INTEGER,
    last_result TEXT NOT NULL,
    handled TEXT NOT NULL
  ) STRICT;

  CREATE TABLE cards (
    uid TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    binding TEXT NOT NULL,
    on_repeat TEXT NOT NULL CHECK (on_repeat IN ('toggle', 'restart', 'next', 'ignore')),
    on_remove TEXT NOT NULL CHECK (on_remove IN ('inherit', 'continue', 'pause', 'stop'))
  ) STRICT;

  CREATE TABLE fired_adhans (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    date TEXT NOT NULL,
    prayer TEXT NOT NULL,
    UNIQUE (date, prayer)
  ) STRICT;

  CREATE TABLE ota_update (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    mode TEXT NOT NULL,
    status TEXT NOT NULL,
    progress INTEGER NOT NULL,
    error TEXT NOT NULL,
    slot TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    trials INTEGER NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE schedules ADD COLUMN enabled_at INTEGER DEFAULT 0;
  `,
  `
  ALTER TABLE fired_adhans ADD COLUMN fired_at INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE resume_places (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    reciter TEXT NOT NULL,
    surah INTEGER NOT NULL,
    position_ms INTEGER NOT NULL,
    was_running INTEGER NOT NULL,
    saved_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO resume_places (path, reciter, surah, position_ms, was_running, saved_at)
    SELECT path, reciter, surah, position_ms, was_running, saved_at FROM resume_position;
  `,
  `
  CREATE TABLE monitoring_enrolment (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    address TEXT NOT NULL,
    device_id TEXT NOT NULL,
    authority TEXT NOT NULL,
    certificate TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    not_after INTEGER NOT NULL,
    broker TEXT,
    key_name TEXT NOT NULL,
    attested_at INTEGER,
    is_refused INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE monitoring_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    details TEXT NOT NULL
  ) STRICT;

  CREATE TABLE monitoring_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT NOT NULL UNIQUE,
    nonce TEXT NOT NULL,
    deadline INTEGER NOT NULL,
    answer TEXT,
    delivered INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE monitoring_sent (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    delivered INTEGER NOT NULL,
    content TEXT NOT NULL
  ) STRICT;

  CREATE TABLE monitoring_counts (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    last_at INTEGER
  ) STRICT;
  `,
];

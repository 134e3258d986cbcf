-- Up Migration
-- File contents by digest: equal ones are stored once, on disk or in an object store.
CREATE TABLE stored_files (
  sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- Set before the content is written, so that unreferenced content can be found. Uses the clock of the
  -- database.
  used_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX stored_files_used_at_idx ON stored_files (used_at);

-- The files of cases. Each is evidence whose hash is in the ledger.
CREATE TABLE case_files (
  evidence_id uuid PRIMARY KEY REFERENCES case_evidence ON DELETE CASCADE,
  sha256 text NOT NULL REFERENCES stored_files,
  uploaded_by text NOT NULL
);
CREATE INDEX case_files_sha256_idx ON case_files (sha256);

GRANT SELECT, INSERT, UPDATE, DELETE ON stored_files TO soc_app;
GRANT SELECT, INSERT ON case_files TO soc_app;

-- Up Migration, outside a transaction
-- ?tag=
DROP INDEX CONCURRENTLY IF EXISTS cases_tags_idx;
CREATE INDEX CONCURRENTLY cases_tags_idx ON cases USING gin (tags);
-- The cases with a running deadline.
DROP INDEX CONCURRENTLY IF EXISTS cases_respond_by_idx;
CREATE INDEX CONCURRENTLY cases_respond_by_idx ON cases (respond_by) WHERE respond_by IS NOT NULL AND responded_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS cases_resolve_by_idx;
CREATE INDEX CONCURRENTLY cases_resolve_by_idx ON cases (resolve_by) WHERE resolve_by IS NOT NULL AND resolved_at IS NULL;
-- The cases that were merged into one.
DROP INDEX CONCURRENTLY IF EXISTS cases_merged_into_idx;
CREATE INDEX CONCURRENTLY cases_merged_into_idx ON cases (merged_into) WHERE merged_into IS NOT NULL;

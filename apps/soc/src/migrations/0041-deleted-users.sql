-- Up Migration
-- A later user with the same name is another person and must not get the private hunts, rules and approvals
-- of the deleted one. The new name has a space, which no user name may contain, and a number that no other
-- user ever had.
CREATE FUNCTION rename_author_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  deleted_name text := OLD.username || ' (deleted ' || OLD.token_version || ')';
BEGIN
  UPDATE hunts SET created_by = deleted_name WHERE created_by = OLD.username;
  UPDATE detection_rules SET created_by = deleted_name WHERE created_by = OLD.username;
  -- An approval of a step belongs to an execution that continues. An undecided one times out.
  UPDATE approvals SET requested_by = deleted_name,
    expires_at = CASE WHEN status = 'pending' THEN least(expires_at, greatest(now(), requested_at + interval '1 ms'))
      ELSE expires_at END
  WHERE requested_by = OLD.username AND kind <> 'step';
  RETURN NULL;
END
$$;
CREATE TRIGGER users_leave_their_records AFTER DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION rename_author_of_user();
CREATE INDEX hunts_created_by_idx ON hunts (created_by);
CREATE INDEX detection_rules_created_by_idx ON detection_rules (created_by);

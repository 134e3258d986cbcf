-- Up Migration
-- The users that a provider manages. The account name is permanent; the provider may change its own name for
-- it.
CREATE TABLE scim_users (
  id uuid PRIMARY KEY,
  provider text NOT NULL,
  username text NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  user_name text NOT NULL CHECK (length(user_name) BETWEEN 1 AND 255),
  external_id text CHECK (length(external_id) <= 255),
  display_name text CHECK (length(display_name) <= 255),
  given_name text CHECK (length(given_name) <= 255),
  family_name text CHECK (length(family_name) <= 255),
  -- The last state that the provider sent.
  active boolean NOT NULL,
  -- Whether the last change by the provider removed the account's access.
  is_barred boolean NOT NULL,
  -- Whether a local administrator has disabled the account, which the provider cannot undo.
  is_held boolean NOT NULL,
  -- The row stays, so that a sign-in does not recreate the account of a deleted user.
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX scim_users_user_name_idx ON scim_users (provider, lower(user_name));
CREATE INDEX scim_users_external_id_idx ON scim_users (provider, external_id);
CREATE INDEX scim_users_created_at_idx ON scim_users (provider, created_at, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON scim_users TO soc_app;

CREATE TABLE scim_groups (
  id uuid PRIMARY KEY,
  provider text NOT NULL,
  display_name text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 255),
  external_id text CHECK (length(external_id) <= 255),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX scim_groups_display_name_idx ON scim_groups (provider, lower(display_name));
CREATE INDEX scim_groups_created_at_idx ON scim_groups (provider, created_at, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON scim_groups TO soc_app;

CREATE TABLE scim_members (
  group_id uuid NOT NULL REFERENCES scim_groups ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES scim_users ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
);
CREATE INDEX scim_members_user_id_idx ON scim_members (user_id);
GRANT SELECT, INSERT, DELETE ON scim_members TO soc_app;

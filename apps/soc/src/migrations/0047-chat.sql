-- Up Migration
-- A conversation belongs to one user and is deleted with that user: a later user with the same name is
-- another person.
CREATE TABLE chat_conversations (
  id uuid PRIMARY KEY,
  owner text NOT NULL REFERENCES users (username) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX chat_conversations_owner_updated_at_idx ON chat_conversations (owner, updated_at DESC);
CREATE INDEX chat_conversations_updated_at_idx ON chat_conversations (updated_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON chat_conversations TO soc_app;

CREATE TABLE chat_messages (
  conversation_id uuid NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
  number integer NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'assistant')),
  text text NOT NULL,
  citations jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (conversation_id, number)
);
GRANT SELECT, INSERT, DELETE ON chat_messages TO soc_app;

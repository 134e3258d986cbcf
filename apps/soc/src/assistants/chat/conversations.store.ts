import { sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { areInScope } from "../../foundation/caller/in-scope.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { Citation } from "./chat-event.ts";
import { type Exchange, MAX_MESSAGES, type Message } from "./conversation.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    chat_conversations: { id: string; owner: string; created_at: Date; updated_at: Date };
    chat_messages: {
      conversation_id: string;
      number: number;
      role: Message["role"];
      text: string;
      citations: Citation[];
      created_at: Date;
      sites: string[] | null;
    };
  }
}

export interface ConversationsStore {
  /**
   * Returns the messages of the owner's conversation, oldest first, without those that may contain records of sites
   * outside the scope; undefined if the owner has no such conversation.
   */
  find(owner: string, id: string, scope: Scope): Promise<Message[] | undefined>;
}

export interface ConversationsWriter {
  /** Adds messages to the conversation; creates it with the first ones. */
  add(owner: string, id: string, exchange: Exchange, scope: Scope): Promise<void>;
  /** Deletes a limited number of conversations without a message since the given time and returns the number. */
  deleteSome(before: Date, limit: number): Promise<number>;
}

/** The number of conversations to keep per owner, newest first. */
const MAX_PER_OWNER = 200;

export function createConversationsStore(db: Db): ConversationsStore {
  return {
    async find(owner, id, scope) {
      const found = await db
        .selectFrom("chat_conversations")
        .select("id")
        .where("id", "=", id)
        .where("owner", "=", owner)
        .executeTakeFirst();
      if (!found) return undefined;
      return db
        .selectFrom("chat_messages")
        .select(["role", "text", "citations", "created_at"])
        .where("conversation_id", "=", id)
        .where(areInScope(scope))
        .orderBy("number")
        .execute();
    },
  };
}

export function createConversationsWriter(tx: Tx): ConversationsWriter {
  return {
    async add(owner, id, exchange, scope) {
      const [{ created_at }] = exchange;
      // Locks the conversation, so that concurrent messages get consecutive numbers.
      await tx
        .insertInto("chat_conversations")
        .values({ id, owner, created_at, updated_at: created_at })
        .onConflict((known) => known.column("id").doUpdateSet({ updated_at: created_at }))
        .execute();
      const { last } = await tx
        .selectFrom("chat_messages")
        .select(sql<number>`coalesce(max(number), 0)`.as("last"))
        .where("conversation_id", "=", id)
        .executeTakeFirstOrThrow();
      const rows = exchange.map(({ citations, ...message }, index) => ({
        ...message,
        conversation_id: id,
        number: last + 1 + index,
        sites: scope === ALL_SITES ? null : [...scope],
        citations: sql<Citation[]>`${JSON.stringify(citations)}::jsonb`,
      }));
      await tx.insertInto("chat_messages").values(rows).execute();
      await tx
        .deleteFrom("chat_messages")
        .where("conversation_id", "=", id)
        .where("number", "<=", last + exchange.length - MAX_MESSAGES)
        .execute();
      const old = tx.selectFrom("chat_conversations").select("id").where("owner", "=", owner);
      await tx
        .deleteFrom("chat_conversations")
        .where("id", "in", old.orderBy("updated_at", "desc").orderBy("id", "desc").offset(MAX_PER_OWNER))
        .execute();
    },

    async deleteSome(before, limit) {
      const old = tx.selectFrom("chat_conversations").select("id").where("updated_at", "<", before).limit(limit);
      const { numDeletedRows } = await tx.deleteFrom("chat_conversations").where("id", "in", old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

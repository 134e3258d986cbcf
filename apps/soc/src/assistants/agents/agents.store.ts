import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import type { AgentFacts, AgentState } from "./agent.ts";
import type { AgentId } from "./agent-names.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    agents: AgentState;
    agent_sites: { agent_id: AgentId; site_id: string; deployed_at: Date };
  }
}

const STATE = ["id", "status", "instances", "last_active", "error"] as const;

/** Counts the runs of each agent in the 24 hours before `now`. */
export type CountRuns = (db: Db, now: Date) => Promise<ReadonlyMap<string, number>>;

export interface AgentsStore {
  /** Returns all sixteen agents. */
  all(now: Date): Promise<AgentFacts[]>;
}

export function createAgentsStore(db: Db, countRuns: CountRuns): AgentsStore {
  return {
    async all(now) {
      const rows = await db
        .selectFrom("agents")
        .select(STATE)
        .select(
          sql<string[]>`ARRAY(
            SELECT site_id::text FROM agent_sites WHERE agent_id = agents.id ORDER BY deployed_at, site_id
          )`.as("sites"),
        )
        .execute();
      const runs = await countRuns(db, now);
      return rows.map((row) => ({ ...row, runs_24h: runs.get(row.id) ?? 0 }));
    },
  };
}

/** The writes of a transaction and the reads that they need. */
export type AgentsWriter = ReturnType<typeof createAgentsWriter>;

export function createAgentsWriter(tx: Db) {
  return {
    /** Returns the agent, locked against changes until the transaction ends. */
    lock: (id: AgentId): Promise<AgentState | undefined> =>
      tx.selectFrom("agents").select(STATE).where("id", "=", id).forUpdate().executeTakeFirst(),

    async update({ id, ...state }: AgentState): Promise<void> {
      await tx.updateTable("agents").set(state).where("id", "=", id).execute();
    },

    /** Has no effect if the agent is already deployed there. The caller has locked the site against deletion. */
    async addSite(agent_id: AgentId, site_id: string, deployed_at: Date): Promise<void> {
      await tx
        .insertInto("agent_sites")
        .values({ agent_id, site_id, deployed_at })
        .onConflict((taken) => taken.columns(["agent_id", "site_id"]).doNothing())
        .execute();
    },

    /** Returns false if the agent is not deployed there. */
    async removeSite(agent_id: AgentId, site_id: string): Promise<boolean> {
      if (!isUuid(site_id)) return false;
      const { numDeletedRows } = await tx
        .deleteFrom("agent_sites")
        .where("agent_id", "=", agent_id)
        .where("site_id", "=", site_id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async isDeployedTo(site_id: string): Promise<boolean> {
      const deployed = tx.selectFrom("agent_sites").select("agent_id").where("site_id", "=", site_id);
      const found = await deployed.limit(1).executeTakeFirst();
      return found !== undefined;
    },
  };
}

export function createShowcaseAgentsStore(agents: readonly AgentFacts[]): AgentsStore {
  return { all: async () => [...agents] };
}

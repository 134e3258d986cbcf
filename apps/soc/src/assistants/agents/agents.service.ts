import type { Clock } from "@kit/clock";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SitesService } from "../../identity/module.ts";
import { type Agent, type AgentState, BY_ID, isListed, toAgents } from "./agent.ts";
import type { ListAgentsQuery } from "./agents.schema.ts";
import {
  type AgentsStore,
  type AgentsWriter,
  type CountRuns,
  createAgentsStore,
  createAgentsWriter,
} from "./agents.store.ts";
import { type AgentDefinition, findDefinition } from "./catalog.ts";

export interface AgentsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: AgentsStore; showcase: AgentsStore };
  sites: Pick<SitesService, "keep">;
  countRuns: CountRuns;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type AgentsService = ReturnType<typeof createAgentsService>;

/** The context of a change; the agent is locked. */
interface LockedAgent {
  writer: AgentsWriter;
  agent: AgentDefinition;
  state: AgentState;
}

export function createAgentsService({ runtime, stores, sites, countRuns, audit, clock }: AgentsServiceDeps) {
  /**
   * Locks the agent, changes it and records the change. A repeated change is recorded, too, because the audit log shows
   * every decision about an agent.
   */
  async function change(
    tx: Tx,
    caller: Caller,
    idOrName: string,
    action: string,
    apply: (locked: LockedAgent) => Promise<object>,
  ): Promise<Agent> {
    const agent = findDefinition(idOrName);
    const writer = createAgentsWriter(tx);
    const state = agent && (await writer.lock(agent.id));
    if (!agent || !state) throw notFound("agent", idOrName);
    const { id, name } = agent;
    const details = await apply({ writer, agent, state });
    await audit.record(tx, {
      actor: caller.username,
      action,
      subject_type: "agent",
      subject_id: id,
      details: { name, ...details },
    });
    const changed = toAgents(await createAgentsStore(tx, countRuns).all(clock.now())).find((each) => each.id === id);
    if (!changed) throw notFound("agent", idOrName);
    return changed;
  }

  return {
    async list(query: ListAgentsQuery): Promise<Page<Agent>> {
      const agents = toAgents(await (await runtime.choose(stores)).all(clock.now()));
      return pageInMemory(agents, BY_ID, query, (agent) => isListed(query, agent));
    },

    /** Clears the error, so that the agent runs again. */
    async enable(tx: Tx, caller: Caller, idOrName: string): Promise<Agent> {
      return change(tx, caller, idOrName, "agent.enabled", async ({ writer, state }) => {
        await writer.update({ ...state, status: "active", error: null });
        return { former_status: state.status };
      });
    },

    async disable(tx: Tx, caller: Caller, idOrName: string): Promise<Agent> {
      return change(tx, caller, idOrName, "agent.disabled", async ({ writer, state }) => {
        await writer.update({ ...state, status: "disabled" });
        return { former_status: state.status };
      });
    },

    /** Records the result of a run: an error stays until a run succeeds and never enables or disables an agent. */
    async noteRun(tx: Tx, id: AgentState["id"], { at, error }: { at: Date; error: string | null }): Promise<void> {
      const writer = createAgentsWriter(tx);
      const state = await writer.lock(id);
      if (!state) return;
      const { status } = state;
      const next = status === "disabled" ? {} : ({ status: error === null ? "active" : "error", error } as const);
      await writer.update({ ...state, ...next, last_active: at });
    },

    async scale(tx: Tx, caller: Caller, idOrName: string, instances: number): Promise<Agent> {
      return change(tx, caller, idOrName, "agent.scaled", async ({ writer, state }) => {
        await writer.update({ ...state, instances });
        return { instances, former_instances: state.instances };
      });
    },

    /** Locks the agent before the site. The deletion of a site locks no agent, so the two cannot deadlock. */
    async deploy(tx: Tx, caller: Caller, idOrName: string, site_id: string): Promise<Agent> {
      return change(tx, caller, idOrName, "agent.deployed", async ({ writer, agent }) => {
        const site = await sites.keep(tx, site_id);
        const declared = site.profile.asset_classes;
        if (!agent.asset_classes.some((each) => declared.includes(each))) {
          throw new Problem(
            "conflict",
            `site_id: site '${site.name}' declares none of the asset classes of ${agent.name}: ${agent.asset_classes.join(", ")}`,
          );
        }
        await writer.addSite(agent.id, site.id, clock.now());
        return { site_id: site.id, site: site.name };
      });
    },

    async undeploy(tx: Tx, caller: Caller, idOrName: string, site_id: string): Promise<Agent> {
      return change(tx, caller, idOrName, "agent.undeployed", async ({ writer, agent }) => {
        if (!(await writer.removeSite(agent.id, site_id))) {
          throw new Problem("not_found", `site_id: ${agent.name} is not deployed to site '${site_id}'`);
        }
        return { site_id: site_id.toLowerCase() };
      });
    },
  };
}

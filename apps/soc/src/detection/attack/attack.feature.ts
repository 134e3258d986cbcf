import type { Base, Registrations } from "../../foundation/base.ts";
import { attackRoutes } from "./attack.routes.ts";
import { type AttackServiceDeps, createAttackService, type FindSources } from "./attack.service.ts";
import { createAttackStore, createShowcaseAttackStore, findShownSources } from "./attack.store.ts";

export interface AttackNeeds extends Pick<AttackServiceDeps, "rules" | "health"> {
  findSources: FindSources;
}

export function createAttack(base: Base, { rules, health, findSources }: AttackNeeds) {
  const { db, runtime, changes, audit, clock } = base;
  const attack = createAttackService({
    runtime,
    stores: { database: createAttackStore(db), showcase: createShowcaseAttackStore() },
    rules,
    health,
    intake: base.sources(
      () => findSources,
      (showcase) => async (sources) => findShownSources(showcase, sources),
    ),
    audit,
    clock,
  });
  return { services: {}, registrations: { routes: [attackRoutes(attack, changes)] } satisfies Registrations };
}

import type { Base } from "../../foundation/base.ts";
import { attackRoutes } from "./attack.routes.ts";
import { type AttackServiceDeps, createAttackService } from "./attack.service.ts";
import { createShowcaseAttackStore } from "./attack.showcase.ts";
import { createAttackStore } from "./attack.store.ts";

export function createAttack(
  { db, runtime, changes, audit, clock }: Base,
  { rules, health }: Pick<AttackServiceDeps, "rules" | "health">,
) {
  const attack = createAttackService({
    runtime,
    stores: { database: createAttackStore(db), showcase: createShowcaseAttackStore() },
    rules,
    health,
    audit,
    clock,
  });
  return { routes: [attackRoutes(attack, changes)] };
}

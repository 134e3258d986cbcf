import type { Base } from "../../foundation/base.ts";
import { attackRoutes } from "./attack.routes.ts";
import { type AttackServiceDeps, createAttackService } from "./attack.service.ts";
import { createShowcaseAttackStore } from "./attack.showcase.ts";
import { createAttackStore } from "./attack.store.ts";

export function createAttack(
  { db, runtime, changes, audit, clock }: Base,
  { rules }: Pick<AttackServiceDeps, "rules">,
) {
  const attack = createAttackService({
    runtime,
    stores: { database: createAttackStore(db), showcase: createShowcaseAttackStore() },
    rules,
    audit,
    clock,
  });
  return { routes: [attackRoutes(attack, changes)] };
}

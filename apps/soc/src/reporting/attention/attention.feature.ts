import type { Base, Registrations } from "../../foundation/base.ts";
import { attentionRoutes } from "./attention.routes.ts";
import { type AttentionServiceDeps, createAttentionService } from "./attention.service.ts";

/** Serves the counts of what needs a person. */
export function createAttention({ clock }: Base, needs: Omit<AttentionServiceDeps, "clock">) {
  const attention = createAttentionService({ ...needs, clock });
  return { services: {}, registrations: { routes: [attentionRoutes(attention)] } satisfies Registrations };
}

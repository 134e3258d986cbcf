import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import { toActionBody } from "./action-catalogue.ts";
import { ActionsBody } from "./actions.schema.ts";

/** The actions are fixed when the platform starts: there is nothing to store and nothing to decide. */
export function actionsRoutes(actions: ActionRegistry): FastifyPluginAsyncTypebox {
  const items = [...actions.values()].map(toActionBody).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return async (app) => {
    app.get(
      "/soar/actions",
      {
        config: { needs: ["soar:read"] },
        schema: {
          operationId: "listSoarActions",
          summary: "List the actions of playbook steps",
          response: { 200: ActionsBody },
        },
      },
      async () => ({ items }),
    );
  };
}

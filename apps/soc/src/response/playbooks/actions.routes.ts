import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { toActionBody } from "./action-catalogue.ts";
import { ActionsBody } from "./actions.schema.ts";

/** The actions are fixed when the platform starts. */
export function actionsRoutes(actions: ActionRegistry): Routes {
  const items = [...actions.values()].map(toActionBody).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return async (app) => {
    app.get(
      "/soar/actions",
      operation(
        "listSoarActions",
        "List the actions of playbook steps",
        { needs: ["soar:read"] },
        { response: { 200: ActionsBody } },
      ),
      async () => ({ items }),
    );
  };
}

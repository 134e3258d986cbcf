import type { Frame } from "@kit/http/frame";
import { pathOf } from "@kit/http/pages";
import type { Base } from "./base.ts";
import { callerOf } from "./caller/caller.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The action of the audit entry for a route that returns many records at once, such as audit.exported. */
    exports?: string;
  }
}

/** Writes the audit entry of an export before its first byte is sent. Without the entry there is no export. */
export function recordExports(app: Frame, { db, runtime, audit }: Pick<Base, "db" | "runtime" | "audit">): void {
  app.addHook("preHandler", async (request) => {
    const { exports: action } = request.routeOptions.config;
    if (action === undefined) return;
    const { is_database_available, is_internal_workflows_allowed } = await runtime.truth();
    if (!is_database_available || !is_internal_workflows_allowed) return;
    const [, query = ""] = request.url.split("?", 2);
    await audit.record(db, {
      actor: callerOf(request).username,
      action,
      subject_type: "export",
      subject_id: pathOf(request),
      details: { query },
    });
  });
}

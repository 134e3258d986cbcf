import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import { createGate } from "../../src/response/approvals/approval-gate.ts";
import { approvalsRoutes } from "../../src/response/approvals/approvals.routes.ts";
import { createApprovalsService } from "../../src/response/approvals/approvals.service.ts";
import { createApprovalsStore, createShowcaseApprovalsStore } from "../../src/response/approvals/approvals.store.ts";
import { executionsRoutes } from "../../src/response/executions/executions.routes.ts";
import { createMemoryAdapter } from "../fixtures/response-actions.ts";
import { driveToEnd } from "../matrices/response-drive.ts";
import { featureApp, testPlatform } from "./feature-app.ts";
import { createResponseParts } from "./response-parts.ts";

const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const SENSOR = { kind: "user", username: "sensor", role: "agent" } as const;

/** The routes of executions and approvals on their own database. The role of a caller is also the caller's name. */
export async function startHandshake({ fourEyes = false } = {}) {
  const platform = await testPlatform("real");
  const { db, runtime, ids, changes } = platform;
  const audit = createAuditStore(ids);
  const adapter = createMemoryAdapter();
  const gate = createGate({ db, audit, ids, fourEyes });
  const parts = createResponseParts(platform, adapter, gate);
  const stores = { database: createApprovalsStore(db), showcase: createShowcaseApprovalsStore([]) };
  const approvals = createApprovalsService({ runtime, stores, executions: parts.executions, audit });
  const app = await featureApp(
    platform,
    executionsRoutes(parts.executions, changes),
    approvalsRoutes(approvals, changes),
  );
  const post = (url: string, payload: object | undefined, role: string) =>
    app.inject({
      method: "POST",
      url: `/api/v1${url}`,
      headers: { "x-role": role },
      ...(payload && { payload }),
    });
  return {
    platform,
    parts,
    adapter,
    gate,
    app,
    close: () => platform.close(),
    keep: (id: string, fields: object) =>
      db
        .transaction()
        .execute((tx) => parts.playbooks.put(tx, ADMIN, id, { value: { name: `Playbook ${id}`, ...fields } })),
    async seed(): Promise<void> {
      const builtIns = await parts.builtIns();
      await db.transaction().execute((tx) => parts.playbooks.seed(tx, builtIns));
    },
    async report(fields: object) {
      const report = { title: "finding", source: "sensor", ...fields };
      return (await db.transaction().execute((tx) => parts.alerts.create(tx, SENSOR, report))).alert;
    },
    /** `id` may contain a query. */
    execute: (id: string, payload?: object, role = "tier3", route = "soar/playbooks") => {
      const [playbook = "", query] = id.split("?");
      return post(`/${route}/${playbook}/execute${query === undefined ? "" : `?${query}`}`, payload, role);
    },
    decide: (id: string, payload: object, role = "manager") => post(`/approvals/${id}/decide`, payload, role),
    approval: async (id: string) => (await app.inject(`/api/v1/approvals/${id}`)).json(),
    driveToEnd: () => driveToEnd(platform, parts),
    executionCount: async () => (await db.selectFrom("executions").select("execution_id").execute()).length,
    /** The audit entries of one record, oldest first. */
    audited: (subject_id: string) =>
      db
        .selectFrom("audit_log")
        .select(["actor", "action", "details"])
        .where("subject_id", "=", subject_id)
        .orderBy("id")
        .execute(),
  };
}
export type Handshake = Awaited<ReturnType<typeof startHandshake>>;

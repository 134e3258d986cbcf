import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { changesBetween } from "../../foundation/records/field-changes.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SlaSettings } from "./case-sla.schema.ts";
import { type CaseSlaStore, createCaseSlaWriter } from "./case-sla.store.ts";
import { requireOrder } from "./sla.ts";

export interface CaseSlaServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: Pick<CaseSlaStore, "read">; showcase: Pick<CaseSlaStore, "read"> };
  audit: Recorder;
}
export type CaseSlaService = ReturnType<typeof createCaseSlaService>;

/** Manages the time limits for responding to cases and resolving them. */
export function createCaseSlaService({ runtime, stores, audit }: CaseSlaServiceDeps) {
  return {
    async read(): Promise<SlaSettings> {
      return (await runtime.choose(stores)).read();
    },

    /** Applies to cases that are opened or change severity from now on. */
    async replace(tx: Tx, { username }: Caller, settings: SlaSettings): Promise<SlaSettings> {
      for (const severity of SEVERITIES) requireOrder(severity, settings[severity]);
      const writer = createCaseSlaWriter(tx);
      const changes = changesBetween(await writer.lock(), settings, SEVERITIES);
      if (changes.length === 0) return settings;
      await writer.write(settings);
      await audit.record(tx, {
        actor: username,
        action: "case_sla.updated",
        subject_type: "case_sla",
        subject_id: "case_sla",
        details: { changes },
      });
      return settings;
    },
  };
}

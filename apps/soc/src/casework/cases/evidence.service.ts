import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { type Scope, toScope } from "../../foundation/caller/scope.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { CustodyEntry, Evidence } from "./case.ts";
import type { CustodyRequest, EvidenceRequest } from "./case-items.schema.ts";
import type { CaseLedger, CasesService, LedgerReceipt } from "./cases.service.ts";
import { createEvidenceStore } from "./evidence.store.ts";
import { shorten } from "./field-changes.ts";

export interface EvidenceServiceDeps {
  cases: Pick<CasesService, "keep" | "look" | "note">;
  ledger: CaseLedger;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type EvidenceService = ReturnType<typeof createEvidenceService>;

/** Evidence with its ledger entry. */
export type RecordedEvidence = Evidence & { ledger: LedgerReceipt };

export function createEvidenceService({ cases, ledger, audit, clock, ids }: EvidenceServiceDeps) {
  function buildCustodyEntry(caller: Caller, request: CustodyRequest): CustodyEntry {
    const { action, location = null, notes = null } = request;
    return { action, location, notes, actor: caller.username, timestamp: clock.now() };
  }

  return {
    list: (scope: Scope, case_id: string, query: PageQuery): Promise<Page<Evidence>> =>
      cases.look(scope, case_id, (source, { id }) => source.evidence(id, query)),

    async register(tx: Tx, caller: Caller, in_case: string, request: EvidenceRequest): Promise<RecordedEvidence> {
      requireStorable(request);
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const { name, evidence_type, storage_url = null, location = null, custody_entries: given = [] } = request;
      const sha256 = request.sha256?.toLowerCase() ?? null;
      const described = { name, evidence_type, storage_url, sha256, location };
      const evidence = { id: ids.next(), ...described, registered_in: null, created_at: clock.now() };
      const custody_entries = given.map((entry) => buildCustodyEntry(caller, entry));
      const store = createEvidenceStore(tx);
      await store.insert(case_id, evidence);
      await store.addCustody(evidence.id, custody_entries);
      const receipt = await ledger.append(tx, case_id, {
        kind: "evidence.registered",
        actor: caller.username,
        body: { evidence_id: evidence.id, ...described, custody_entries: given },
      });
      await cases.note(tx, caller, case_id, `evidence registered: ${shorten(name)}`);
      await audit.record(tx, {
        actor: caller.username,
        action: "evidence.registered",
        subject_type: "evidence",
        subject_id: evidence.id,
        details: { case_id, ...described, sequence: receipt.sequence },
      });
      return { ...evidence, custody_entries, custody_total: custody_entries.length, ledger: receipt };
    },

    async recordCustody(
      tx: Tx,
      caller: Caller,
      { case_id: in_case, evidence_id: wanted }: { case_id: string; evidence_id: string },
      request: CustodyRequest,
    ): Promise<RecordedEvidence> {
      requireStorable(request);
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const store = createEvidenceStore(tx);
      const evidence_id = (await store.find(case_id, wanted))?.id;
      if (evidence_id === undefined) throw notFound("evidence", wanted);
      await store.addCustody(evidence_id, [buildCustodyEntry(caller, request)]);
      const receipt = await ledger.append(tx, case_id, {
        kind: "custody.recorded",
        actor: caller.username,
        body: { evidence_id, ...request },
      });
      await cases.note(tx, caller, case_id, `custody recorded: ${shorten(request.action)}`);
      await audit.record(tx, {
        actor: caller.username,
        action: "custody.recorded",
        subject_type: "evidence",
        subject_id: evidence_id,
        details: { case_id, ...request, sequence: receipt.sequence },
      });
      const recorded = await store.find(case_id, evidence_id);
      if (!recorded) throw notFound("evidence", wanted);
      return { ...recorded, ledger: receipt };
    },
  };
}

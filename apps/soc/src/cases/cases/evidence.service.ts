import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { shorten } from "../../foundation/records/field-changes.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { CustodyEntry, Evidence } from "./case.ts";
import type { CustodyRequest, EvidenceRequest } from "./case-items.schema.ts";
import type { CaseLedger, CasesService, LedgerReceipt } from "./cases.service.ts";
import { createEvidenceStore } from "./evidence.store.ts";

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
    requireBounded(request);
    const [recorded_by, recorded_at] = [caller.username, clock.now()];
    const own = { location: null, notes: null, actor: recorded_by, timestamp: recorded_at.toISOString() };
    return { ...own, ...request, recorded_by, recorded_at };
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
        body: { ...request, evidence_id },
      });
      await cases.note(tx, caller, case_id, `custody recorded: ${shorten(request.action)}`);
      await audit.record(tx, {
        actor: caller.username,
        action: "custody.recorded",
        subject_type: "evidence",
        subject_id: evidence_id,
        details: { case_id, action: request.action, sequence: receipt.sequence },
      });
      const recorded = await store.find(case_id, evidence_id);
      if (!recorded) throw notFound("evidence", wanted);
      return { ...recorded, ledger: receipt };
    },
  };
}

/** The fields that the platform sets. A sent entry must not contain them. */
const RESERVED = ["recorded_by", "recorded_at", "evidence_id"] as const;
const MAX_ENTRY_LENGTH = 20_000;
const MAX_ENTRY_DEPTH = 5;

function requireBounded(entry: CustodyRequest): void {
  for (const field of RESERVED) {
    if (field in entry) throw invalidField(`custody_entries.${field}`, "is set by the platform");
  }
  if (JSON.stringify(entry).length > MAX_ENTRY_LENGTH) {
    throw invalidField("custody_entries", `an entry must have at most ${MAX_ENTRY_LENGTH} characters as JSON`);
  }
  if (depthOf(entry) > MAX_ENTRY_DEPTH) {
    throw invalidField("custody_entries", `an entry must be nested at most ${MAX_ENTRY_DEPTH} levels deep`);
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

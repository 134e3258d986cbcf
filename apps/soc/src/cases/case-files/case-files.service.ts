import type { Readable } from "node:stream";
import type { Log } from "@kit/log";
import { invalidField, notFound, Problem, rateLimited } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isPreview } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { FileStore, IncomingFiles, ReceivedFile } from "../../ports/file-store.ts";
import type { CasesService, LedgerReceipt } from "../cases/cases.service.ts";
import type { EvidenceService } from "../cases/evidence.service.ts";
import { type CaseFile, requireFileName } from "./case-file.ts";
import type { UploadQuery } from "./case-files.schema.ts";
import { type CaseFilesStore, createCaseFilesWriter } from "./case-files.store.ts";
import { ChangedContent, openVerified } from "./verified-content.ts";

/** Reads files, from the database or from the showcase. */
export interface CaseFileReads extends CaseFilesStore {
  /** Returns undefined if the content is missing. */
  open(sha256: string): Promise<Readable | undefined>;
}

export interface CaseFilesServiceDeps {
  db: Db;
  runtime: Pick<RuntimeService, "choose" | "truth">;
  reads: { database: CaseFileReads; showcase: CaseFileReads };
  cases: Pick<CasesService, "look" | "keep">;
  evidence: Pick<EvidenceService, "register">;
  incoming: IncomingFiles;
  files: FileStore;
  audit: Recorder;
  log: Pick<Log, "error">;
  maxBytes: number;
}
export type CaseFilesService = ReturnType<typeof createCaseFilesService>;

export type StoredCaseFile = CaseFile & { ledger: LedgerReceipt };

/** A received file; a transaction then makes it evidence. */
export interface UploadedFile extends ReceivedFile {
  /** False in a preview, which does not store the content. */
  isKept: boolean;
}

export interface OpenedFile {
  file: CaseFile;
  content: Readable;
}

const MAX_FILES = 500;
/** The limit for all files of a case, as a multiple of the maximum file size. */
const MAX_FULL_FILES = 20;
const MAX_UPLOADS = 8;
const MAX_UPLOADS_OF_ONE = 2;
const RETRY_MS = 5000;

export function createCaseFilesService(deps: CaseFilesServiceDeps) {
  const { db, runtime, reads, cases, evidence, incoming, files, audit, log, maxBytes } = deps;
  const uploading: string[] = [];

  async function find(source: CaseFileReads, scope: Scope, in_case: string, file_id: string): Promise<CaseFile> {
    const file = await cases.look(scope, in_case, (_source, { id }) => source.find(id, file_id));
    if (!file) throw notFound("file", file_id);
    return file;
  }

  /** Refuses a file that cannot fit before it is sent. */
  async function requireRoom(scope: Scope, in_case: string): Promise<void> {
    const measure = (id: string) => createCaseFilesWriter(db).measure(id);
    const { count, bytes } = await cases.look(scope, in_case, (_source, { id }) => measure(id));
    refuseMany(count + 1, bytes + 1, maxBytes);
  }

  async function receive({ kind }: Caller, source: Readable, sha256?: string): Promise<UploadedFile> {
    const received = await incoming.receive(source, maxBytes);
    try {
      if (sha256 !== undefined && sha256.toLowerCase() !== received.sha256) {
        throw invalidField("sha256", "is not the digest of this file", { code: "digest_mismatch" });
      }
      const isKept = !isPreview("change", kind === "api_key", await runtime.truth());
      if (isKept) {
        await createCaseFilesWriter(db).announce(received);
        await files.keep(received);
      }
      return { ...received, isKept };
    } finally {
      await incoming.discard(received);
    }
  }

  return {
    maxBytes,

    list: (scope: Scope, in_case: string, query: PageQuery): Promise<Page<CaseFile>> =>
      cases.look(scope, in_case, async (_source, { id }) => (await runtime.choose(reads)).list(id, query)),

    /** Receives the file and stores its content. It becomes a file of the case with `register`. */
    async receive(caller: Caller, in_case: string, query: UploadQuery, source: Readable): Promise<UploadedFile> {
      requireFileName(query.name);
      await requireRoom(toScope(caller), in_case);
      const { username } = caller;
      if (
        uploading.length >= MAX_UPLOADS ||
        uploading.filter((name) => name === username).length >= MAX_UPLOADS_OF_ONE
      ) {
        throw rateLimited("too many concurrent uploads; see Retry-After", RETRY_MS);
      }
      uploading.push(username);
      try {
        return await receive(caller, source, query.sha256);
      } finally {
        uploading.splice(uploading.indexOf(username), 1);
      }
    },

    /** Makes the file evidence of the case, with an entry in the ledger. */
    async register(
      tx: Tx,
      caller: Caller,
      in_case: string,
      { name, evidence_type = "file", location }: UploadQuery,
      { sha256, size_bytes, isKept }: UploadedFile,
    ): Promise<StoredCaseFile> {
      const { username: uploaded_by } = caller;
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const writer = createCaseFilesWriter(tx);
      if (!isKept) await writer.announce({ sha256, size_bytes });
      const described = { name, evidence_type, sha256, ...(location !== undefined && { location }) };
      const custody_entries = [{ action: "uploaded", notes: `${size_bytes} bytes, hashed by the platform` }];
      // The ledger entry locks the chain of the case, so that concurrent files are all counted.
      const registered = await evidence.register(tx, caller, case_id, { ...described, custody_entries });
      if (!(await writer.insert({ evidence_id: registered.id, sha256, uploaded_by }))) {
        throw new Problem("unavailable", "the upload took too long; send the file again");
      }
      const { count, bytes } = await writer.measure(case_id);
      refuseMany(count, bytes, maxBytes);
      const { id, created_at, ledger } = registered;
      return {
        id,
        name,
        evidence_type,
        location: location ?? null,
        size_bytes,
        sha256,
        uploaded_by,
        created_at,
        ledger,
      };
    },

    /** Opens the content and verifies it. Changed content is reported and never sent completely. */
    async open(caller: Caller, in_case: string, file_id: string): Promise<OpenedFile> {
      const source = await runtime.choose(reads);
      const file = await find(source, toScope(caller), in_case, file_id);
      const stored = await source.open(file.sha256);
      if (!stored) throw new Problem("unavailable", `the content of file '${file_id}' is missing in the file store`);
      async function report(error: ChangedContent): Promise<void> {
        log.error({ err: error, file_id: file.id }, "content of a case file has changed");
        if (!(await runtime.truth()).is_internal_workflows_allowed) return;
        await audit.record(db, {
          actor: caller.username,
          action: "file.changed",
          subject_type: "evidence",
          subject_id: file.id,
          details: { sha256: file.sha256 },
        });
      }
      try {
        return { file, content: await openVerified(stored, file, report) };
      } catch (cause) {
        if (!(cause instanceof ChangedContent))
          throw new Problem("unavailable", "the file store closed the connection", { cause });
        throw new Problem("failed", `file '${file_id}' differs from the upload and is not sent`, {
          code: "file_changed",
          cause,
        });
      }
    },

    /** Removes one content that no case refers to. */
    sweepUnused: (): Promise<number> =>
      db.transaction().execute(async (tx) => {
        const sha256 = await createCaseFilesWriter(tx).forgetUnused();
        if (sha256 === undefined) return 0;
        await files.remove(sha256);
        return 1;
      }),
  };
}

function refuseMany(count: number, bytes: number, maxBytes: number): void {
  if (count > MAX_FILES) throw new Problem("conflict", `a case has at most ${MAX_FILES} files`);
  const most = MAX_FULL_FILES * maxBytes;
  if (bytes > most) throw new Problem("too_large", `body: the files of a case must not exceed ${most} bytes in total`);
}

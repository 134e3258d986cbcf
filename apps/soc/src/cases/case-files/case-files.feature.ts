import type { Base, Registrations } from "../../foundation/base.ts";
import type { FileStore, IncomingFiles } from "../../ports/file-store.ts";
import type { CasesService } from "../cases/cases.service.ts";
import type { EvidenceService } from "../cases/evidence.service.ts";
import { caseFilesRoutes } from "./case-files.routes.ts";
import { createCaseFilesService } from "./case-files.service.ts";
import { createShowcaseCaseFiles } from "./case-files.showcase.ts";
import { createCaseFilesStore } from "./case-files.store.ts";

/** Where files are stored, and their maximum size. */
export interface FileStorage {
  incoming: IncomingFiles;
  store: FileStore;
  /** The limit for one file. */
  maxBytes: number;
}

export interface CaseFilesNeeds {
  cases: Pick<CasesService, "look" | "keep">;
  evidence: Pick<EvidenceService, "register">;
  storage: FileStorage;
}

/** Stores files as evidence of cases. */
export function createCaseFiles(base: Base, { cases, evidence, storage }: CaseFilesNeeds) {
  const { incoming, store, maxBytes } = storage;
  const { db, runtime, changes, audit, log } = base;
  const reads = base.sources(
    (database) => ({ ...createCaseFilesStore(database), open: (sha256: string) => store.open(sha256) }),
    createShowcaseCaseFiles,
  );
  const caseFiles = createCaseFilesService({
    ...{ db, runtime, reads, cases, evidence },
    ...{ incoming, files: store, audit, log, maxBytes },
  });
  return {
    services: { caseFiles },
    registrations: {
      routes: [caseFilesRoutes(caseFiles, changes)],
      readers: { file: ["cases:read"] as const },
      sweeps: [
        { name: "case files", run: () => caseFiles.sweepUnused() },
        { name: "incoming files", run: () => incoming.sweep() },
      ],
    } satisfies Registrations,
  };
}

import { Readable } from "node:stream";
import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { type CaseFile, NEWEST_FIRST } from "./case-file.ts";
import type { CaseFileReads } from "./case-files.service.ts";

/** Each evidence record of the story is a file whose content is its own name, matching its hash. */
export function createShowcaseCaseFiles({ cases }: Pick<Showcase, "cases">): CaseFileReads {
  const listFiles = (case_id: string): CaseFile[] =>
    (cases.find(({ id }) => id === case_id)?.evidence ?? []).map(
      ({ id, name, evidence_type, location, sha256, created_at, custody_entries }) => ({
        id,
        name: `${name}.txt`,
        evidence_type,
        location,
        size_bytes: Buffer.byteLength(name),
        sha256: sha256 ?? "",
        uploaded_by: custody_entries[0]?.recorded_by ?? "",
        created_at,
      }),
    );
  return {
    list: async (case_id, query) => pageInMemory(listFiles(case_id), NEWEST_FIRST, query),
    find: async (case_id, file_id) => listFiles(case_id).find(({ id }) => id === file_id),
    async open(sha256) {
      const found = cases.flatMap(({ evidence }) => evidence).find((each) => each.sha256 === sha256);
      return found && Readable.from([Buffer.from(found.name)]);
    },
  };
}

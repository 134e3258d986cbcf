import { invalidField } from "@kit/problem";
import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { fileTooLarge } from "../../ports/file-store.ts";
import { formatDisposition } from "./case-file.ts";
import { CaseFileBody, CaseFileParams, CaseFilesParams, StoredCaseFileBody, UploadQuery } from "./case-files.schema.ts";
import type { CaseFilesService } from "./case-files.service.ts";

const reading = { needs: ["cases:read"], byKey: true, bySite: "records" } as const;
const upload = {
  needs: ["cases:write"],
  effect: "change",
  byKey: true,
  bySite: "records",
  streamsBody: true,
} as const;
const download = { ...reading, exports: "file.downloaded" } as const;
/** Files from an attacked machine must not run in a browser. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";

export function caseFilesRoutes(files: CaseFilesService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/cases/:case_id/files",
      operation("listCaseFiles", "List the files of a case", reading, {
        params: CaseFilesParams,
        querystring: PageQuery,
        response: { 200: PageOf(CaseFileBody) },
      }),
      async (request) => files.list(toScope(callerOf(request)), request.params.case_id, request.query),
    );

    app.post(
      "/cases/:case_id/files",
      operation("uploadCaseFile", "Upload a file to a case", upload, {
        description: "The body is the file. `sha256` is checked if sent. 413 beyond `SOC_FILE_MB`.",
        params: CaseFilesParams,
        querystring: UploadQuery,
        response: { 200: PreviewOf(StoredCaseFileBody), 201: StoredCaseFileBody },
      }),
      async (request, reply) => {
        const { params, query, raw, headers } = request;
        requirePlainBody(headers, files.maxBytes);
        const arrived = await files.receive(callerOf(request), params.case_id, query, raw);
        const stored = await changes.run(request, (tx, caller) =>
          files.register(tx, caller, params.case_id, query, arrived),
        );
        return answer(reply, 201, stored);
      },
    );

    app.get(
      "/cases/:case_id/files/:file_id",
      operation("downloadCaseFile", "Download a file of a case", download, {
        description: "Always an attachment.",
        params: CaseFileParams,
      }),
      async (request, reply) => {
        const { case_id, file_id } = request.params;
        const { file, content } = await files.open(callerOf(request), case_id, file_id);
        return reply
          .type("application/octet-stream")
          .header("content-length", file.size_bytes)
          .header("content-disposition", formatDisposition(file.name))
          .header("content-security-policy", SANDBOX)
          .send(content);
      },
    );
  };
}

/** A form or a compressed body would be stored as different content than intended. */
function requirePlainBody(headers: Readonly<Record<string, string | string[] | undefined>>, maxBytes: number): void {
  const { "content-type": type = "", "content-encoding": encoding = "identity", "content-length": length } = headers;
  if (String(type).startsWith("multipart/")) {
    throw invalidField("Content-Type", "must not be a form type: the body is the file itself");
  }
  if (encoding !== "identity") throw invalidField("Content-Encoding", "must be absent: the body is the file itself");
  if (Number(length ?? 0) > maxBytes) throw fileTooLarge(maxBytes);
}

import { type RefusedAnswer, toNoAnswer } from "../../../../app/server/api-error.ts";
import { type ChangeResult, formatQuery, type Server } from "../../../../app/server/server.ts";
import type { StoredCaseFile } from "../cases-client.ts";

export interface UploadRequest {
  server: Pick<Server, "refuse">;
  caseId: string;
  file: File;
  sha256: string | undefined;
  evidenceType: string;
  location: string;
  token: string | undefined;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Uploads a file with progress, which `fetch` does not report. */
export function uploadFile(request: UploadRequest): Promise<ChangeResult<StoredCaseFile>> {
  const { server, caseId, file, sha256, evidenceType, location, token, onProgress, signal } = request;
  const query = {
    name: file.name,
    evidence_type: evidenceType || undefined,
    location: location || undefined,
    sha256,
  };
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", `/api/v1/cases/${encodeURIComponent(caseId)}/files${formatQuery(query)}`);
    sending.responseType = "json";
    sending.setRequestHeader("content-type", "application/octet-stream");
    if (token !== undefined) sending.setRequestHeader("authorization", `Bearer ${token}`);
    sending.upload.addEventListener("progress", ({ loaded, total }) => total > 0 && onProgress(loaded / total));
    sending.addEventListener("load", () => {
      const answer: unknown = sending.response;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service and its console are one release
      if (sending.status < 300) resolve(answer as ChangeResult<StoredCaseFile>);
      else reject(server.refuse(toRefused(sending), answer));
    });
    sending.addEventListener("error", () => reject(toNoAnswer(undefined)));
    sending.addEventListener("abort", () => reject(signal.reason));
    signal.addEventListener("abort", () => sending.abort());
    sending.send(file);
  });
}

function toRefused(sending: XMLHttpRequest): RefusedAnswer {
  return { status: sending.status, headers: { get: (name) => sending.getResponseHeader(name) } };
}

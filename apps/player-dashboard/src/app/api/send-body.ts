import { ApiError, toApiError } from "./api-client.ts";

type UploadRequest = Pick<
  XMLHttpRequest,
  | "open"
  | "setRequestHeader"
  | "send"
  | "abort"
  | "addEventListener"
  | "status"
  | "responseText"
  | "getResponseHeader"
  | "timeout"
> & { upload: Pick<XMLHttpRequestUpload, "addEventListener"> };

/** `fetch` cannot report how much of a body it has sent. */
export type CreateRequest = () => UploadRequest;

export interface BodyToSend {
  path: string;
  body: Blob;
  token: string | undefined;
  timeoutMs: number;
  onSent: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Sends the body unchanged, and resolves with the text of the answer. Every failure is an `ApiError`; its status is 0 when
 * the device did not answer, or `signal` has aborted.
 */
export function sendBody(
  createRequest: CreateRequest,
  { path, body, token, timeoutMs, onSent, signal }: BodyToSend,
): Promise<string> {
  const request = createRequest();
  return new Promise((resolve, reject) => {
    const fail = () => reject(new ApiError(0, ""));
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    for (const event of ["error", "timeout", "abort"] as const) request.addEventListener(event, fail);
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 200) resolve(responseText);
      else reject(toApiError(status, responseText, (name) => request.getResponseHeader(name)));
    });
    request.open("POST", path);
    request.timeout = timeoutMs;
    request.setRequestHeader("content-type", "application/octet-stream");
    if (token !== undefined) request.setRequestHeader("authorization", `Bearer ${token}`);
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    if (signal?.aborted) fail();
    else request.send(body);
  });
}

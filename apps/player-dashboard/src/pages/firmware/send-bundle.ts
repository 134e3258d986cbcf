import { ApiError } from "../../app/api/api.ts";

type Upload = Pick<
  XMLHttpRequest,
  | "open"
  | "setRequestHeader"
  | "send"
  | "addEventListener"
  | "status"
  | "responseText"
  | "getResponseHeader"
  | "timeout"
> & { upload: Pick<XMLHttpRequestUpload, "addEventListener"> };

export interface SendBundleDeps {
  /** `fetch` cannot say how much of a body has left. */
  createRequest: () => Upload;
  token: string | undefined;
  onSent: (bytes: number) => void;
}

/** The device itself gives up after 15 minutes. */
const TIMEOUT_MS = 16 * 60_000;

/** Sends the file as it is. Resolves when the device has found it good; rejects with what it refused. */
export function sendBundle(file: Blob, { createRequest, token, onSent }: SendBundleDeps): Promise<void> {
  const request = createRequest();
  return new Promise((resolve, reject) => {
    const lost = () => reject(new ApiError(0, ""));
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("error", lost);
    request.addEventListener("timeout", lost);
    request.addEventListener("abort", lost);
    request.addEventListener("load", () => (request.status === 200 ? resolve() : reject(refusalOf(request))));
    request.open("POST", "/api/ota/upload");
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader("content-type", "application/octet-stream");
    if (token !== undefined) request.setRequestHeader("authorization", `Bearer ${token}`);
    request.send(file);
  });
}

function refusalOf(request: Pick<Upload, "status" | "responseText" | "getResponseHeader">): ApiError {
  const retryAfterSeconds = Number(request.getResponseHeader("retry-after") ?? 0);
  return new ApiError(request.status, errorIn(request.responseText), retryAfterSeconds);
}

function errorIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "error" in body ? String(body.error) : "";
  } catch {
    // Whoever answered was not the device.
    return "";
  }
}

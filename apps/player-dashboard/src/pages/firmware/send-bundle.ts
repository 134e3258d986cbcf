import { ApiError, toApiError } from "../../app/api/api-client.ts";

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
  /** `fetch` cannot report how much of a body it has sent. */
  createRequest: () => Upload;
  token: string | undefined;
  onSent: (bytes: number) => void;
}

/** The device itself gives up after 15 minutes. */
const TIMEOUT_MS = 16 * 60_000;

/** Sends the file unchanged. Resolves when the device has accepted it; rejects with an `ApiError` otherwise. */
export function sendBundle(file: Blob, { createRequest, token, onSent }: SendBundleDeps): Promise<void> {
  const request = createRequest();
  return new Promise((resolve, reject) => {
    const fail = () => reject(new ApiError(0, ""));
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("error", fail);
    request.addEventListener("timeout", fail);
    request.addEventListener("abort", fail);
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 200) resolve();
      else reject(toApiError(status, responseText, (name) => request.getResponseHeader(name)));
    });
    request.open("POST", "/api/ota/upload");
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader("content-type", "application/octet-stream");
    if (token !== undefined) request.setRequestHeader("authorization", `Bearer ${token}`);
    request.send(file);
  });
}

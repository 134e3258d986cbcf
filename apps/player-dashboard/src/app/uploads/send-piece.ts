import type { UploadBody } from "@player/service/contract/uploads";
import { ApiError, isRecord, toApiError } from "../api/api-client.ts";

type Sending = Pick<
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

export interface SendPieceDeps {
  /** `fetch` cannot report how much of a body it has sent. */
  createRequest: () => Sending;
  token: () => string | undefined;
}

export interface PieceToSend {
  id: string;
  offset: number;
  bytes: Blob;
  onSent: (bytes: number) => void;
  signal: AbortSignal;
}

export type SendPiece = (piece: PieceToSend) => Promise<UploadBody>;

/** The device gives up on a sender below 1 kB a second long before. */
const TIMEOUT_MS = 10 * 60_000;

/** Every failure is an `ApiError`; its status is 0 when the device did not answer, or `signal` has aborted. */
export function createSendPiece({ createRequest, token }: SendPieceDeps): SendPiece {
  return ({ id, offset, bytes, onSent, signal }) => {
    const request = createRequest();
    return new Promise((resolve, reject) => {
      const fail = () => reject(new ApiError(0, ""));
      request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
      for (const event of ["error", "timeout", "abort"] as const) request.addEventListener(event, fail);
      request.addEventListener("load", () => {
        const { status, responseText } = request;
        const body = status === 200 ? parseUpload(responseText) : undefined;
        if (body) resolve(body);
        else reject(toApiError(status, responseText, (name) => request.getResponseHeader(name)));
      });
      request.open("POST", `/api/uploads/${id}?offset=${offset}`);
      request.timeout = TIMEOUT_MS;
      request.setRequestHeader("content-type", "application/octet-stream");
      const held = token();
      if (held !== undefined) request.setRequestHeader("authorization", `Bearer ${held}`);
      signal.addEventListener("abort", () => request.abort(), { once: true });
      if (signal.aborted) fail();
      else request.send(bytes);
    });
  };
}

function parseUpload(text: string): UploadBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isUpload(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The service is of the same build as the page, so an object has the shape that its contract promises. */
function isUpload(body: unknown): body is UploadBody {
  return isRecord(body);
}

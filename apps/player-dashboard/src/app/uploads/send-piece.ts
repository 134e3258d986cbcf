import type { UploadBody } from "@player/service/contract/uploads";
import { ApiError, isRecord } from "../api/api-client.ts";
import { type CreateRequest, sendBody } from "../api/send-body.ts";

export interface SendPieceDeps {
  createRequest: CreateRequest;
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
  return async ({ id, offset, bytes, onSent, signal }) => {
    const answer = await sendBody(createRequest, {
      path: `/api/uploads/${id}?offset=${offset}`,
      body: bytes,
      token: token(),
      timeoutMs: TIMEOUT_MS,
      onSent,
      signal,
    });
    const upload = parseUpload(answer);
    if (!upload) throw new ApiError(200, "");
    return upload;
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

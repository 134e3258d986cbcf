import type { Server } from "../../../app/server/server.ts";
import { createFrameReader, type EventFrame } from "./event-frames.ts";

export interface ChatRequest {
  message: string;
  conversation_id?: string;
}

export const MAX_MESSAGE = 4000;

/** An answer takes at most 60 seconds. */
const ANSWER_TIMEOUT_MS = 75_000;

/** The events of the answer, in batches as they arrive. Ends when the stream ends for any reason. */
export async function* streamAnswer(
  server: Server,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly EventFrame[], void> {
  const body = await server.open("/chat/stream", { body: request, signal, timeoutMs: ANSWER_TIMEOUT_MS });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const frames = createFrameReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield frames.push(piece.value);
}

import type { OutboundGuard } from "@kit/guard/fetch";
import { Problem } from "@kit/problem";
import { type Answer, buildFacts, type Dispatch, type Receipt } from "./dispatch.ts";
import { createRecordedSending, type RecordedSendingDeps } from "./recorded-sending.ts";
import { buildSignatureHeaders } from "./signature.ts";

export interface OutboundServiceDeps extends RecordedSendingDeps {
  guard: Pick<OutboundGuard, "open">;
  /** The destinations whose addresses the operator configured: only these may be in a private network. */
  privateDestinations: ReadonlySet<string>;
}

export type OutboundService = ReturnType<typeof createOutboundService>;

const MAX_ANSWER_BYTES = 1024 * 1024;

/** The only way to send HTTP requests. */
export function createOutboundService({ guard, privateDestinations, ...deps }: OutboundServiceDeps) {
  const { clock } = deps;
  const sendRecorded = createRecordedSending(deps);

  async function ask(dispatch: Dispatch, signal: AbortSignal): Promise<Answer> {
    const { destination, url, method, headers = {}, body, signingKey, timeoutMs } = dispatch;
    const signed = signingKey && buildSignatureHeaders(signingKey, { method, url, body: body ?? "", at: clock.now() });
    const allowPrivate = privateDestinations.has(destination);
    const answer = await guard.open(url, {
      field: destination,
      policy: { schemes: allowPrivate ? ["http:", "https:"] : ["https:"], allowPrivate },
      method,
      headers: { ...headers, ...signed },
      ...(body === undefined ? {} : { body }),
      maxRedirects: 0,
      connectTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      signal,
    });
    return { status: answer.status, body: await readBounded(answer.body, destination) };
  }

  return {
    /** Sends, records or refuses the request, depending on the mode. Do not call it inside a transaction. */
    async send(dispatch: Dispatch): Promise<Receipt> {
      return sendRecorded({
        factsIn: (mode) => buildFacts(dispatch, mode),
        timeoutMs: dispatch.timeoutMs,
        send: (signal) => ask(dispatch, signal),
      });
    },
  };
}

async function readBounded(body: AsyncIterable<Buffer>, destination: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new Problem("unavailable", `${destination}: the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

import { withoutBrackets } from "@kit/guard/address";
import type { OutboundGuard } from "@kit/guard/fetch";
import { Problem } from "@kit/problem";
import { type Answer, type ArrivingAnswer, buildFacts, type Dispatch, type Receipt } from "./dispatch.ts";
import type { PrivateTargets } from "./private-targets.ts";
import { createRecordedSending, type RecordedSendingDeps } from "./recorded-sending.ts";
import { buildSignatureHeaders } from "./signature.ts";

export interface OutboundServiceDeps extends RecordedSendingDeps {
  guard: Pick<OutboundGuard, "check" | "open">;
  /** The destinations whose addresses the operator configured. They may be in a private network. */
  privateDestinations: ReadonlySet<string>;
  /** The private hosts and networks that all other destinations may reach, with a guard that knows the networks. */
  allowed?: { targets: PrivateTargets; guard: Pick<OutboundGuard, "check" | "open"> };
}

export type OutboundService = ReturnType<typeof createOutboundService>;

const MAX_ANSWER_BYTES = 1024 * 1024;
const CHECK_MS = 2000;

/** The only way to send HTTP requests. */
export function createOutboundService({ guard, privateDestinations, allowed, ...deps }: OutboundServiceDeps) {
  const { clock } = deps;
  const sendRecorded = createRecordedSending(deps);

  /** Selects the guard and the policy for the address. Only a listed host may be reached without TLS. */
  function chooseGuard(destination: string, url: string) {
    const host = URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : "";
    if (privateDestinations.has(destination) || allowed?.targets.isHost(host)) {
      return { guard, policy: { schemes: ["http:", "https:"], allowPrivate: true } } as const;
    }
    if (!allowed) return { guard, policy: { schemes: ["https:"], allowPrivate: false } } as const;
    const isListed = allowed.targets.isAddress(host);
    const schemes = isListed ? (["http:", "https:"] as const) : (["https:"] as const);
    return { guard: allowed.guard, policy: { schemes, allowPrivate: true } } as const;
  }

  async function open(dispatch: Dispatch, signal: AbortSignal) {
    const { destination, url, method, headers = {}, body, signingKey, timeoutMs } = dispatch;
    const signed = signingKey && buildSignatureHeaders(signingKey, { method, url, body: body ?? "", at: clock.now() });
    const chosen = chooseGuard(destination, url);
    return chosen.guard.open(url, {
      field: destination,
      policy: chosen.policy,
      method,
      headers: { ...headers, ...signed },
      ...(body === undefined ? {} : { body }),
      maxRedirects: 0,
      connectTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      signal,
    });
  }

  async function ask(dispatch: Dispatch, signal: AbortSignal): Promise<Answer> {
    const { status, body } = await open(dispatch, signal);
    return { status, body: await readBounded(body, dispatch.destination) };
  }

  return {
    /**
     * Refuses an address that no request of this destination may reach. A name that does not resolve now is accepted,
     * because every request checks its address again. In a mode that sends nothing, no name is resolved.
     */
    async check(destination: string, url: string, field: string): Promise<void> {
      if (!(await deps.runtime.truth()).is_external_actions_allowed) return;
      const chosen = chooseGuard(destination, url);
      try {
        await chosen.guard.check(url, { field, policy: chosen.policy, connectTimeoutMs: CHECK_MS });
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== "unavailable") throw error;
      }
    },

    /** Sends, records or refuses the request, depending on the mode. Do not call it inside a transaction. */
    async send(dispatch: Dispatch): Promise<Receipt> {
      return sendRecorded({
        factsIn: (mode) => buildFacts(dispatch, mode),
        timeoutMs: dispatch.timeoutMs,
        send: (deadline) => ask(dispatch, joinSignals(deadline, dispatch.signal)),
      });
    },

    /**
     * Like `send`, but passes the response to `read` while it arrives. The exchange ends with `read`, and its end is
     * recorded then. The reader must limit how much it reads.
     */
    async stream(
      dispatch: Dispatch,
      read: (answer: ArrivingAnswer, signal: AbortSignal) => Promise<void>,
    ): Promise<Receipt<Pick<ArrivingAnswer, "status">>> {
      return sendRecorded({
        factsIn: (mode) => buildFacts(dispatch, mode),
        timeoutMs: dispatch.timeoutMs,
        send: async (deadline) => {
          const signal = joinSignals(deadline, dispatch.signal);
          const answer = await open(dispatch, signal);
          try {
            await read(answer, signal);
          } finally {
            answer.body.destroy();
          }
          return { status: answer.status };
        },
      });
    },
  };
}

function joinSignals(deadline: AbortSignal, wanted: AbortSignal | undefined): AbortSignal {
  return wanted ? AbortSignal.any([deadline, wanted]) : deadline;
}

async function readBounded(body: AsyncIterable<Buffer>, destination: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new Problem("unavailable", `${destination}: the response is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

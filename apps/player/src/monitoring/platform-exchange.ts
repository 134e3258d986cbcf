import type { OutboundGuard } from "@kit/guard/fetch";
import { Problem } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { SentKind } from "./monitoring.schema.ts";
import type { PlatformAddress } from "./platform-address.ts";
import type { PlatformAnswer, PlatformClient, PlatformRequest } from "./platform-client.ts";
import type { SentMessagesStore } from "./sent-messages.store.ts";

export interface PlatformExchangeDeps {
  client: PlatformClient;
  guard: Pick<OutboundGuard, "check">;
  sent: Pick<SentMessagesStore, "add" | "markDelivered">;
  /** Epoch seconds. */
  nowS: () => number;
}
export type PlatformExchange = ReturnType<typeof createPlatformExchange>;

export interface RecordedRequest extends PlatformRequest {
  kind: SentKind;
  /** False when the enrolment has ended in the meantime: then nothing is sent. */
  isWanted: () => boolean;
  /** The recorded text: the body, unless it contains a secret. */
  shown?: string;
}

/** The platform's response to an enrolment and to a renewal. */
const Issued = Type.Object({
  device_id: Type.String({ minLength: 1, maxLength: 200 }),
  certificate: Type.String({ maxLength: 10_000 }),
  not_after: Type.String(),
  broker: Type.Optional(Type.Union([Type.String({ pattern: "^mqtts://[^/?#@\\s]+/?$" }), Type.Null()])),
});
const Refusal = Type.Object({ detail: Type.String() });

const CONNECT_MS = 5000;
const MAX_DETAIL = 200;

/** Every HTTPS request to the platform: checked by the guard, recorded, then sent. */
export function createPlatformExchange({ client, guard, sent, nowS }: PlatformExchangeDeps) {
  /** The owner may choose a private address; never this device itself. */
  async function admit({ text }: PlatformAddress, field: string): Promise<void> {
    const policy = { schemes: ["https:"] as const, allowPrivate: true };
    await guard.check(`https://${text}`, { field, policy, connectTimeoutMs: CONNECT_MS });
  }

  return {
    admit,

    async findAuthority(address: PlatformAddress, fingerprint: string): Promise<string> {
      await admit(address, "address");
      return client.findAuthority(address, fingerprint);
    },

    async send({ kind, shown, isWanted, ...request }: RecordedRequest): Promise<PlatformAnswer> {
      await admit(request.address, "address");
      if (!isWanted()) throw new Problem("unavailable", "monitoring: was removed meanwhile", { field: "monitoring" });
      const { body } = request;
      const id = sent.add({ at: nowS(), kind, bytes: Buffer.byteLength(body), content: shown ?? body });
      const answer = await client.post(request);
      if (isSuccess(answer)) sent.markDelivered(id);
      return answer;
    },
  };
}

export function isSuccess({ status }: Pick<PlatformAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** Whether the platform no longer accepts this device. */
export function isRefusal({ status }: Pick<PlatformAnswer, "status">): boolean {
  return status === 401 || status === 403;
}

export function parseIssued({ text }: PlatformAnswer): Static<typeof Issued> & { endsAtS: number } {
  const body = parseJson(text);
  const endsAtS = Value.Check(Issued, body) ? Math.floor(Date.parse(body.not_after) / 1000) : Number.NaN;
  if (!Value.Check(Issued, body) || Number.isNaN(endsAtS)) {
    throw new Problem("unavailable", "address: the server did not answer as a platform does", { field: "address" });
  }
  return { ...body, endsAtS };
}

/** The reason in the words of the platform, for the owner. */
export function describeAnswer({ status, text }: PlatformAnswer): string {
  const body = parseJson(text);
  const detail = Value.Check(Refusal, body) ? `: ${body.detail.slice(0, MAX_DETAIL)}` : "";
  return `the platform answered ${status}${detail}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import { invalidField, Problem } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { OutgoingRequest, OutsideAction } from "../actions/action.ts";
import type { Answer } from "./dispatch.ts";
import type { HttpAdapter } from "./http-adapters.ts";
import type { OutboundService } from "./outbound.service.ts";

const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 256 * 1024;
/** How much of a response later steps can read. */
const MAX_ANSWER_CHARACTERS = 16_384;

const Params = Type.Object(
  {
    adapter: Type.String({ minLength: 1, maxLength: 50, description: "the name that the operator gave it" }),
    method: Type.Optional(Type.Enum(["POST", "PUT", "PATCH", "DELETE"])),
    /** Relative to the URL of the adapter. It cannot leave that URL: no query and no `..` segments. */
    path: Type.Optional(Type.String({ maxLength: 500, pattern: "^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$" })),
    body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);
type Params = Static<typeof Params>;

/** The destination of requests to the adapter, in records and in error texts. */
export function formatDestination({ name }: Pick<HttpAdapter, "name">): string {
  return `http:${name}`;
}

/** `http.request` calls only adapters that the operator configured. A playbook never names an address. */
export function createHttpRequestAction(
  adapters: readonly HttpAdapter[],
  outbound: Pick<OutboundService, "send">,
): OutsideAction {
  const byName = new Map(adapters.map((adapter) => [adapter.name, adapter]));

  function planRequest(read: Params): {
    adapter: HttpAdapter;
    sending: OutgoingRequest & { method: NonNullable<Params["method"]> };
  } {
    const adapter = byName.get(read.adapter);
    if (!adapter) throw invalidField("adapter", `'${read.adapter}' is not configured`);
    const { method = "POST", path = "", body = {} } = read;
    if (Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES) {
      throw invalidField("body", `must be at most ${MAX_BODY_BYTES} bytes`);
    }
    const url = `${adapter.url}${path}`;
    return { adapter, sending: { destination: formatDestination(adapter), method, url, body } };
  }

  return {
    name: "http.request",
    isCritical: true,
    mayHaveHappened: true,
    kind: "outside",
    params: Params,

    async describe(params) {
      const read = Value.Parse(Params, params);
      const { sending } = planRequest(read);
      return {
        summary: `Sends ${sending.method} ${read.path ?? "/"} to the adapter '${read.adapter}'`,
        sends: [sending],
      };
    },

    async run(params, { idempotencyKey }) {
      const { adapter, sending } = planRequest(Value.Parse(Params, params));
      const receipt = await outbound.send({
        kind: "effect",
        destination: sending.destination,
        purpose: "a playbook's request",
        method: sending.method,
        url: sending.url,
        headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
        body: JSON.stringify(sending.body),
        signingKey: adapter.key,
        timeoutMs: TIMEOUT_MS,
      });
      if (receipt.outcome === "recorded") return { simulated: true };
      return toResult(adapter.name, receipt.answer);
    },
  };
}

function toResult(name: string, { status, body }: Answer): object {
  if (status < 200 || status >= 300) throw new Problem("unavailable", `adapter: '${name}' answered ${status}`);
  return { simulated: false, status, answer: parseAnswer(body) };
}

function parseAnswer(body: Buffer): unknown {
  const text = body.toString("utf8");
  if (text.length > MAX_ANSWER_CHARACTERS) return text.slice(0, MAX_ANSWER_CHARACTERS);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { Answer } from "../../foundation/outbound/dispatch.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import type { CircuitStore } from "./circuit.store.ts";
import { stateOf } from "./circuit.ts";
import type { EdrStatsBody } from "./edr.schema.ts";
import { buildSending, type EdrActionRow, type Result } from "./edr-action.ts";
import type { EndpointRow } from "./endpoint.ts";

export interface EdrAdapterSettings {
  url: string;
  /** Signs requests; the adapter has the same key. */
  key: Uint8Array;
}

export interface EdrAdapterDeps {
  /** Without settings nothing is sent: actions are only recorded. */
  settings: EdrAdapterSettings | undefined;
  outbound: Pick<OutboundService, "send">;
  circuit: CircuitStore;
  clock: Pick<Clock, "now" | "sleep">;
}
export type EdrAdapter = ReturnType<typeof createEdrAdapter>;

const TIMEOUT_MS = 5000;
const TRIES = 3;
const FIRST_PAUSE_MS = 200;
const TRY_LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** Client of the EDR adapter. Retries carry the same idempotency key, so the adapter runs each action once. */
export function createEdrAdapter({ settings, outbound, circuit, clock }: EdrAdapterDeps) {
  async function send({ url, key }: EdrAdapterSettings, row: EdrActionRow, endpoint: EndpointRow): Promise<Result> {
    const sending = buildSending(url, row, endpoint);
    try {
      const receipt = await outbound.send({
        kind: "effect",
        destination: sending.destination,
        purpose: `${row.action} an endpoint`,
        method: "POST",
        url: sending.url,
        headers: { "content-type": "application/json", "idempotency-key": row.key },
        body: JSON.stringify(sending.body),
        signingKey: key,
        timeoutMs: TIMEOUT_MS,
      });
      return receipt.outcome === "recorded" ? { outcome: "recorded" } : toResult(receipt.answer);
    } catch (error) {
      // It is unknown whether the request arrived. The retry carries the same key, so the adapter recognises it.
      if (error instanceof Problem && error.kind !== "forbidden") return { outcome: "failed", error: error.message };
      throw error;
    }
  }

  async function tryOnce(known: EdrAdapterSettings, row: EdrActionRow, endpoint: EndpointRow): Promise<Result> {
    const until = await circuit.findOpenUntil(clock.now());
    if (until) return { outcome: "circuit_open", until };
    const result = await send(known, row, endpoint);
    if (result.outcome === "failed") await circuit.failed(clock.now());
    else await circuit.succeeded();
    return result;
  }

  return {
    /** Undefined when no adapter is configured. */
    url: settings?.url,

    /** Sends the action, with retries while it is wanted. Must not run inside a transaction. */
    async order(row: EdrActionRow, endpoint: EndpointRow, isWanted: () => Promise<boolean>): Promise<Result> {
      if (!settings) return { outcome: "recorded" };
      let result = await tryOnce(settings, row, endpoint);
      for (let tries = 1; tries < TRIES && result.outcome === "failed"; tries += 1) {
        await clock.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
        if (!(await isWanted())) return result;
        const next = await tryOnce(settings, row, endpoint);
        // Report the original failure, not the open circuit that it caused.
        if (next.outcome === "circuit_open") return result;
        result = next;
      }
      return result;
    },

    async state(): Promise<EdrStatsBody["adapter"]> {
      if (!settings) return { configured: false, state: "none" };
      return { configured: true, state: stateOf(await circuit.read(), clock.now()) };
    },
  };
}

function toResult({ status, body }: Answer): Result {
  if (status >= 200 && status < 300) return { outcome: isAccepted(status, body) ? "accepted" : "completed" };
  const error = `the EDR adapter answered ${status}`;
  const isRefusal = status >= 400 && status < 500 && !TRY_LATER.has(status);
  return { outcome: isRefusal ? "refused" : "failed", error };
}

/** The action counts as completed only if the adapter's answer says so. */
function isAccepted(status: number, body: Buffer): boolean {
  if (status === 202) return true;
  try {
    const said: unknown = JSON.parse(body.toString("utf8"));
    return typeof said !== "object" || said === null || !("status" in said) || said.status !== "completed";
  } catch {
    return true;
  }
}

import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { ArrivingAnswer } from "../../foundation/outbound/dispatch.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import { type ForwardedEntry, PURPOSE, type Receiver, SEND_MS, WaitRequest } from "./receiver.ts";

/** The OTLP receiver that the operator configured. The headers may contain a key. */
export interface OtlpSettings {
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface OtlpReceiverDeps {
  settings: OtlpSettings;
  hostname: string;
  outbound: Pick<OutboundService, "stream">;
  now: () => Date;
}

export const OTLP_DESTINATION = "audit-otlp";

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_COMPLAINT_CHARACTERS = 300;
/** OTLP specification, severity numbers: INFO. */
const INFO = 9;

/** ProtoJSON writes 64-bit integers as text. */
const Answer = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object({
      rejectedLogRecords: Type.Optional(Type.Union([Type.String(), Type.Number()])),
      errorMessage: Type.Optional(Type.String()),
    }),
  ),
});

const toNanos = (at: Date) => `${BigInt(at.getTime()) * 1_000_000n}`;
const toAttribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** Formats entries as an ExportLogsServiceRequest in ProtoJSON. */
function formatLogs(entries: readonly ForwardedEntry[], hostname: string, now: Date): string {
  const logRecords = entries.map(({ batch, id, hash, entry }) => ({
    ...(entry && { timeUnixNano: toNanos(entry.at) }),
    observedTimeUnixNano: toNanos(now),
    severityNumber: INFO,
    severityText: "INFO",
    body: { stringValue: entry ? `${entry.actor} ${entry.action} ${entry.subject_type} ${entry.subject_id}` : id },
    attributes: [
      toAttribute("audit.id", id),
      toAttribute("audit.hash", hash),
      { key: "audit.batch", value: { intValue: `${batch}` } },
      ...(entry
        ? [
            ...(["actor", "action", "subject_type", "subject_id"] as const).map((name) =>
              toAttribute(`audit.${name}`, entry[name]),
            ),
            toAttribute("audit.details", JSON.stringify(entry.details)),
          ]
        : [{ key: "audit.is_missing", value: { boolValue: true } }]),
    ],
  }));
  const resource = { attributes: [toAttribute("service.name", "manara-soc"), toAttribute("host.name", hostname)] };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: "manara.audit" }, logRecords }] }] });
}

export function createOtlpReceiver({ settings, hostname, outbound, now }: OtlpReceiverDeps): Receiver {
  return {
    name: "otlp",
    async send(entries) {
      let complaint: string | undefined;
      await outbound.stream(
        {
          kind: "effect",
          destination: OTLP_DESTINATION,
          purpose: PURPOSE,
          method: "POST",
          url: settings.url,
          headers: { ...settings.headers, "content-type": "application/json" },
          body: formatLogs(entries, hostname, now()),
          timeoutMs: SEND_MS,
        },
        async ({ status, headers, body }) => {
          if (status < 200 || status >= 300) throw toFailure(status, headers, now());
          complaint = readComplaint(await readText(body), entries.length);
        },
      );
      return complaint === undefined ? {} : { complaint };
    },
  };
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function toFailure(status: number, headers: ArrivingAnswer["headers"], now: Date): Error {
  const message = `${OTLP_DESTINATION}: the receiver answered ${status}`;
  const after = headers["retry-after"];
  if (after === undefined) return new Problem("unavailable", message);
  const seconds = /^\d+$/.test(after) ? Number(after) : Math.ceil((Date.parse(after) - now.getTime()) / 1000);
  return Number.isFinite(seconds)
    ? new WaitRequest(message, Math.max(0, seconds))
    : new Problem("unavailable", message);
}

/** After a partial success the request must not be repeated (OTLP specification, section OTLP/HTTP response). */
function readComplaint(text: string, count: number): string | undefined {
  if (text === "") return undefined;
  const answer: unknown = JSON.parse(text);
  if (!Value.Check(Answer, answer)) return undefined;
  const { rejectedLogRecords = 0, errorMessage = "" } = answer.partialSuccess ?? {};
  const rejected = Number(rejectedLogRecords);
  if (rejected === 0 && errorMessage === "") return undefined;
  return `the receiver rejected ${rejected} of ${count} entries: ${errorMessage.slice(0, MAX_COMPLAINT_CHARACTERS)}`;
}

async function readText(body: ArrivingAnswer["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Problem("unavailable", `${OTLP_DESTINATION}: the response is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

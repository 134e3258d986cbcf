import type { SyslogSender } from "../../foundation/outbound/syslog.service.ts";
import type { SyslogServer } from "../../foundation/outbound/syslog.ts";
import { type ForwardedEntry, PURPOSE, type Receiver, SEND_MS } from "./receiver.ts";

export interface SyslogReceiverDeps {
  server: SyslogServer;
  hostname: string;
  send: SyslogSender;
}

/** RFC 5424, section 6.2.1: facility 13 (log audit), severity 6 (informational). */
const PRIORITY = 13 * 8 + 6;
/** Below the limit of a datagram. */
const MAX_MESSAGE_BYTES = 60_000;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/** Formats an entry as RFC 5424. The message is JSON in ASCII, so no text of a record can end it or need a BOM. */
function formatMessage(forwarded: ForwardedEntry, hostname: string): string {
  const { batch, id, hash, entry } = forwarded;
  const ledger = { batch, hash };
  const time = entry?.at.toISOString() ?? "-";
  const head = `<${PRIORITY}>1 ${time} ${hostname.replaceAll(/[^\x21-\x7e]/g, "").slice(0, 255) || "-"} manara-soc - audit - `;
  const text = head + toAscii(entry ? { ...entry, ledger } : { id, is_missing: true, ledger });
  if (!entry || text.length <= MAX_MESSAGE_BYTES) return text;
  const { details: _, ...rest } = entry;
  return head + toAscii({ ...rest, are_details_omitted: true, ledger });
}

function toAscii(value: object): string {
  return JSON.stringify(value).replaceAll(
    NOT_PRINTABLE,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function createSyslogReceiver({ server, hostname, send }: SyslogReceiverDeps): Receiver {
  return {
    name: "syslog",
    async send(entries) {
      const messages = entries.map((entry) => formatMessage(entry, hostname));
      await send({ server, purpose: PURPOSE, messages, timeoutMs: SEND_MS });
      return {};
    },
  };
}

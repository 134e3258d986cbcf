import type { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";

/** An audit entry as receivers get it, with its place in the ledger. */
export interface ForwardedEntry {
  batch: number;
  id: string;
  hash: string;
  /** Undefined if the entry is no longer in the database: the receiver gets its id and hash. */
  entry: AuditEntryBody | undefined;
}

export interface SendResult {
  /** What the receiver reported although it accepted the request, such as entries that it rejected. */
  complaint?: string;
}

/** A system that keeps a copy of the audit log. It may get an entry more than once. */
export interface Receiver {
  name: "syslog" | "otlp";
  /** Throws if the entries must be sent again. */
  send(entries: readonly ForwardedEntry[]): Promise<SendResult>;
}

/** The receiver asked to wait before the next request. */
export class WaitRequest extends Error {
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

export const PURPOSE = "copy of the audit log";
export const SEND_MS = 10_000;

import { createHmac } from "node:crypto";
import { makeVisible } from "../../foundation/records/visible-text.ts";

/** A notification. Webhooks receive all fields; people receive the text. */
export interface Message {
  type: string;
  subject_id: string;
  at: string;
  text: string;
  data: object;
  /** Mail recipients in addition to those of the channel. */
  to?: readonly string[];
}

/** An event of the outbox. */
export interface OutboxEvent {
  type: string;
  subject_id: string;
  at: string;
  data: object;
}

const MAX_TEXT_LENGTH = 4000;

export function buildMessage({ type, subject_id, at, data }: OutboxEvent): Message {
  return { type, subject_id, at, data, text: cut(formatText(type, subject_id, new Map(Object.entries(data)))) };
}

const APPROVAL_TEXTS: ReadonlyMap<string, string> = new Map([
  ["approval.requested", "Approval needed"],
  ["approval.reminded", "Still waiting for a decision"],
  ["approval.escalated", "No reviewer has decided yet, and time is running out"],
  ["approval.expired", "No reviewer decided in time"],
]);

function formatText(type: string, subject_id: string, data: ReadonlyMap<string, unknown>): string {
  const word = (field: string) => toWord(data.get(field)) ?? "unknown";
  const opening = APPROVAL_TEXTS.get(type);
  if (opening !== undefined) {
    return `${opening}: ${word("action")} (${subject_id}; requested by ${word("requested_by")}, expires ${word("expires_at")})`;
  }
  if (type === "approval.decided") return `Approval ${word("status")}: ${word("action")} (${subject_id})`;
  const name = ["title", "name", "hostname", "action"].map((field) => toWord(data.get(field))).find(Boolean);
  return `${type}: ${name === undefined ? subject_id : `${name} (${subject_id})`}`;
}

function toWord(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Shortens a text for people. Senders of logs and alerts choose its words, so it must not display as something else. */
export function cut(text: string): string {
  return Array.from(makeVisible(text)).slice(0, MAX_TEXT_LENGTH).join("");
}

/**
 * Escapes Slack's three control characters and breaks mentions with a zero-width space, so that log text cannot mention
 * a whole room or hide the target of a link.
 */
export function escapeChatText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/@(?=\w)/g, "@\u200b");
}

/** Returns `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>">`. The signed time lets receivers reject replays. */
export function computeSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

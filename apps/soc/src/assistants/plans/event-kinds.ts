import type { LogEvent } from "../../ports/log-event.ts";
import { firstTextOf, textOf } from "../investigations/event-facts.ts";
import { SENDER_FIELDS } from "./subject.ts";

// Recognises the events for an agent by their sources and fields.

const MAIL_SOURCE = /e-?mail|\bmail|smtp|exchange|postfix|proofpoint|mimecast/i;

/** Reports whether a source is a mail gateway or server. */
export function isMailSource(source: string): boolean {
  return MAIL_SOURCE.test(source);
}

export function isMail(event: LogEvent): boolean {
  return isMailSource(event.source) || firstTextOf(event, SENDER_FIELDS).includes("@");
}

const CLOUD_SOURCE =
  /\b(?:cloud-?(?:audit|trail)?|aws|azure|entra|gcp|google|o365|office365|m365|okta)\b|amazonaws\.com$/i;

/** Reports whether a source is the audit log of a cloud tenant. */
export function isCloudSource(source: string): boolean {
  return CLOUD_SOURCE.test(source);
}

/** CloudTrail names its service in a separate field. */
export function isCloudAudit(event: LogEvent): boolean {
  return isCloudSource(event.source) || /\.amazonaws\.com$/i.test(textOf(event, "eventSource"));
}

const VERDICTS: ReadonlySet<string> = new Set(["trusted", "untrusted", "stale", "failed"]);

export const MEASUREMENT_FIELDS = ["measurement", "firmware.hash"];

/** Returns the verdict of an attestation; "" for any other event. */
export function attestedVerdict(event: LogEvent): string {
  const isAttestation = /attestation/i.test(`${event.source} ${event.action}`);
  const verdict = textOf(event, "verdict").toLowerCase();
  return isAttestation && VERDICTS.has(verdict) ? verdict : "";
}

/** Reports whether the event comes from a device or its monitoring. */
export function isOfDevice(event: LogEvent): boolean {
  const isDeviceSource = /^(?:cps|ot|ics|scada|plc|iot|mqtt|modbus)\b/i.test(event.source);
  return isDeviceSource || ["device_id", "device.id", "modbus.function"].some((name) => textOf(event, name) !== "");
}

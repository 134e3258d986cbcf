import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { ProcessRef } from "./event-facts.ts";

/** A span of event time. */
export interface Span {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** The fields of an alert that an investigation uses. */
export interface InvestigatedAlert {
  id: string;
  title: string;
  rule_id: string | null;
  severity: Severity;
  mitre_techniques: readonly string[];
  /** Short names such as credential-access. */
  tactics: readonly string[];
  log_ids: readonly string[];
  host: string | null;
}

/** The feedback of people about a rule. */
export interface RuleFeedback {
  true_positives: number;
  false_positives: number;
}

export interface IocHit {
  log_id: string;
  value: string;
}

export type DeviceVerdict = "trusted" | "untrusted" | "stale" | "failed";

/**
 * The reads of an investigation. Every result is limited: of too many events, those closest to the middle of the span
 * are returned, half before and half after it, in chronological order.
 */
export interface EventReader {
  find(log_ids: readonly string[]): Promise<LogEvent[]>;
  /** Returns the events in which the process acts, is the target, or starts another process. */
  ofProcess(process: ProcessRef, span: Span, limit: number): Promise<LogEvent[]>;
  ofSession(session: { host: string; id: string }, span: Span, limit: number): Promise<LogEvent[]>;
  ofUser(user: string, span: Span, limit: number): Promise<LogEvent[]>;
  ofAddress(address: string, span: Span, limit: number): Promise<LogEvent[]>;
  /** Returns the alerts on this host whose events are in the span. */
  alertsOn(host: string, span: Span, limit: number): Promise<InvestigatedAlert[]>;
  ruleFeedback(rule_id: string): Promise<RuleFeedback>;
  /** From 0 to 1: the share of the 30 days before that time on which each rule matched. */
  ruleDayShares(rule_ids: readonly string[], until: Date): Promise<ReadonlyMap<string, number>>;
  /** From 0 to 1: the share of the 30 days before that time on which the image acted. */
  imageDayShare(image: string, until: Date): Promise<number>;
  iocHits(logs: readonly LogEvent[], limit: number): Promise<IocHit[]>;
  /** Returns the newest attestation of the device; undefined if the host is not an attested device. */
  deviceVerdict(host: string): Promise<DeviceVerdict | undefined>;
}

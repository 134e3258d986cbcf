import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { ProcessRef } from "./event-facts.ts";

/** A span of event time. */
export interface Span {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** An alert as an investigation sees it. */
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

/** What people said about a rule. */
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
 * All that an investigation may read. Every answer is bounded: of more events, those next to the middle of the span are
 * returned, half of them before and half of them after it, in order of time.
 */
export interface EventReader {
  find(log_ids: readonly string[]): Promise<LogEvent[]>;
  /** The events in which the process acts, another one acts on it, or it starts another one. */
  ofProcess(process: ProcessRef, span: Span, limit: number): Promise<LogEvent[]>;
  ofSession(session: { host: string; id: string }, span: Span, limit: number): Promise<LogEvent[]>;
  ofUser(user: string, span: Span, limit: number): Promise<LogEvent[]>;
  ofAddress(address: string, span: Span, limit: number): Promise<LogEvent[]>;
  /** The alerts whose events lie in the span, on this host. */
  alertsOn(host: string, span: Span, limit: number): Promise<InvestigatedAlert[]>;
  ruleFeedback(rule_id: string): Promise<RuleFeedback>;
  /** From 0 to 1: the share of the 30 days before that instant on which each rule matched. */
  ruleDayShares(rule_ids: readonly string[], until: Date): Promise<ReadonlyMap<string, number>>;
  /** From 0 to 1: the share of the 30 days before that instant on which the image acted. */
  imageDayShare(image: string, until: Date): Promise<number>;
  iocHits(logs: readonly LogEvent[], limit: number): Promise<IocHit[]>;
  /** The newest attestation of the device; undefined for a host that is no attested device. */
  deviceVerdict(host: string): Promise<DeviceVerdict | undefined>;
}

import { parseIndicator } from "../detection/iocs/indicator.ts";
import { type IocDetail, type IocHit, toIocId, type WholeIoc } from "../detection/iocs/ioc.ts";
import { createIocMatcher } from "../detection/iocs/ioc-matcher.ts";
import type { LogEvent } from "../ports/log-event.ts";
import { minutesBefore } from "./story.ts";

interface IocFact extends Pick<IocDetail, "value" | "confidence" | "severity" | "source" | "tags" | "tlp"> {
  minutesAgo: number;
  /** How long it is valid; some never expire. */
  days?: number;
}

// Some were known before the intrusion; most were discovered during it. One has expired.
const FACTS: readonly IocFact[] = [
  {
    value: "203.0.113.24",
    confidence: 90,
    severity: "high",
    source: "yusuf.karim",
    tags: ["intrusion", "takeover"],
    tlp: "amber",
    minutesAgo: 1400,
    days: 90,
  },
  {
    value: "manara-sso.example",
    confidence: 95,
    severity: "high",
    source: "sara.mansour",
    tags: ["intrusion", "phishing"],
    tlp: "green",
    minutesAgo: 1550,
  },
  {
    value: "https://manara-sso.example/login",
    confidence: 95,
    severity: "high",
    source: "sara.mansour",
    tags: ["intrusion", "phishing"],
    tlp: "green",
    minutesAgo: 1550,
  },
  {
    value: "billing@manara-sso.example",
    confidence: 80,
    severity: "medium",
    source: "sara.mansour",
    tags: ["intrusion", "phishing"],
    tlp: "green",
    minutesAgo: 1545,
  },
  {
    value: "pdf-viewer-pro.example",
    confidence: 85,
    severity: "high",
    source: "amina.farouk",
    tags: ["intrusion", "malicious-application"],
    tlp: "amber",
    minutesAgo: 1480,
  },
  {
    value: "198.51.100.77",
    confidence: 95,
    severity: "critical",
    source: "amina.farouk",
    tags: ["command-and-control", "intrusion"],
    tlp: "amber+strict",
    minutesAgo: 1280,
    days: 90,
  },
  {
    value: "cdn-update.example",
    confidence: 95,
    severity: "critical",
    source: "amina.farouk",
    tags: ["command-and-control", "intrusion"],
    tlp: "amber",
    minutesAgo: 1280,
  },
  {
    value: "7f3a0c51d2b94e68a1f05d3c9be27746",
    confidence: 90,
    severity: "critical",
    source: "playbook",
    tags: ["credential-theft", "intrusion"],
    tlp: "amber",
    minutesAgo: 1200,
  },
  {
    value: "b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184",
    confidence: 100,
    severity: "critical",
    source: "cps-attestation",
    tags: ["firmware", "intrusion"],
    tlp: "red",
    minutesAgo: 600,
  },
  {
    value: "44d88612fea8a8f36de82e1278abb02f",
    confidence: 100,
    severity: "info",
    source: "mei.tan",
    tags: ["test-file"],
    tlp: "clear",
    minutesAgo: 40_000,
  },
  {
    value: "2001:db8:bad::/48",
    confidence: 40,
    severity: "low",
    source: "exchange",
    tags: ["scanner"],
    tlp: "clear",
    minutesAgo: 30_000,
    days: 7,
  },
];

/** The known indicators and their hits in the story's logs. */
export function buildShowcaseIocs(now: Date, logs: readonly LogEvent[]): WholeIoc[] {
  return FACTS.map(({ minutesAgo, days, ...fact }) => {
    const indicator = parseIndicator(fact.value);
    const ioc = { ...fact, ...indicator, id: toIocId(indicator) };
    const first_seen = minutesBefore(now, minutesAgo);
    const matcher = createIocMatcher();
    matcher.add([ioc]);
    const seen_in = logs.filter((log) => matcher.match(log).length > 0).map((log) => buildHit(log, first_seen));
    const last = seen_in.map(({ seen_at }) => seen_at.getTime()).reduce((a, b) => Math.max(a, b), first_seen.getTime());
    return {
      ...ioc,
      first_seen,
      last_seen: new Date(last),
      expires_at: days === undefined ? null : minutesBefore(first_seen, -days * 24 * 60),
      hits: seen_in.length,
      searched_at: first_seen,
      search_is_capped: false,
      seen_in,
    };
  });
}

/** A log that is older than the indicator was found when the indicator became known. */
function buildHit({ id, ingested_at }: LogEvent, first_seen: Date): IocHit {
  const log_ingested_at = new Date(ingested_at);
  return { id, log_id: id, log_ingested_at, seen_at: log_ingested_at > first_seen ? log_ingested_at : first_seen };
}

/** What a channel may be informed about; users and hunts are not among it. */
export const EVENT_NOUNS = [
  "alert",
  "case",
  "evidence",
  "approval",
  "playbook",
  "execution",
  "automation",
  "endpoint",
  "device",
  "attestation",
  "rule",
  "report",
  "ioc",
  "agent",
] as const;
export type EventNoun = (typeof EVENT_NOUNS)[number];

const EVENT = new RegExp(`^(${EVENT_NOUNS.join("|")})\\.(\\*|[a-z_]{1,50})$`);

export interface ChosenEvents {
  /** Nouns of which everything is sent. */
  nouns: readonly EventNoun[];
  /** Single events as text: `case.created approval.escalated`. */
  single: string;
}

/** `approval.*` is the noun; what names one event stays text. */
export function splitEvents(events: readonly string[]): ChosenEvents {
  const nouns = EVENT_NOUNS.filter((noun) => events.includes(`${noun}.*`));
  return { nouns, single: events.filter((event) => !event.endsWith(".*")).join(" ") };
}

/** The events as the service takes them, and the words that are none. */
export function joinEvents({ nouns, single }: ChosenEvents): { events: string[]; wrong: string[] } {
  const words = single.split(/[\s,]+/).filter((word) => word !== "");
  const wrong = words.filter((word) => !EVENT.test(word));
  return { events: [...new Set([...nouns.map((noun) => `${noun}.*`), ...words])], wrong };
}

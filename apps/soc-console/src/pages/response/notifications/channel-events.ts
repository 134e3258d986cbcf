/** The nouns that a channel can subscribe to; users and hunts are excluded. */
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
  /** Nouns with all of their events. */
  nouns: readonly EventNoun[];
  /** Custom events as text: `case.created approval.escalated`. */
  single: string;
}

/** `approval.*` selects the noun; single events stay text. */
export function splitEvents(events: readonly string[]): ChosenEvents {
  const nouns = EVENT_NOUNS.filter((noun) => events.includes(`${noun}.*`));
  return { nouns, single: events.filter((event) => !event.endsWith(".*")).join(" ") };
}

/** The events for the service, and the invalid words. */
export function joinEvents({ nouns, single }: ChosenEvents): { events: string[]; wrong: string[] } {
  const words = single.split(/[\s,]+/).filter((word) => word !== "");
  const wrong = words.filter((word) => !EVENT.test(word));
  return { events: [...new Set([...nouns.map((noun) => `${noun}.*`), ...words])], wrong };
}

export const SECURITY_EVENT_TYPES = ["wrong_token", "reset", "update", "boot_failure"] as const;
export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[number];

/** Events of the device itself, never what a person listens to or from where. */
export interface SecurityEvent {
  /** A UUID: sending the same event again is harmless. */
  id: string;
  /** Epoch seconds. */
  at: number;
  type: SecurityEventType;
  details: Readonly<Record<string, string>>;
}

const MAX_TEXT = 200;

/** The body of a request to the platform. */
export function formatEvents(events: readonly SecurityEvent[]): string {
  const sent = events.map(({ id, at, type, details }) => ({
    id,
    at: new Date(at * 1000).toISOString(),
    type,
    details: Object.fromEntries(Object.entries(details).map(([name, text]) => [name, text.slice(0, MAX_TEXT)])),
  }));
  return JSON.stringify({ events: sent });
}

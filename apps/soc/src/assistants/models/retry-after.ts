const DEFAULT_MS = 500;

/**
 * Parses the delay that a provider requests, in seconds (RFC 9110, section 10.2.3); a date or no value means half a
 * second.
 */
export function parseRetryAfter(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : DEFAULT_MS;
}

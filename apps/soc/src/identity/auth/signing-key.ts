import { TOKEN_SECONDS, TOLERANCE_SECONDS } from "../sessions/tokens.ts";

export interface SigningKey {
  /** The index of the thirty-day period in which the key signs, counted from 1970. */
  period: number;
  kid: string;
  private_jwk: { kty: "OKP"; crv: string; x: string; d: string };
}

const PERIOD_MS = 30 * 24 * 60 * 60_000;

export function periodOf(now: Date): number {
  return Math.floor(now.getTime() / PERIOD_MS);
}

/** Whether a token that the key signed at the end of its period may still be valid. */
export function isStillTrusted({ period }: Pick<SigningKey, "period">, now: Date): boolean {
  return now.getTime() < (period + 1) * PERIOD_MS + (TOKEN_SECONDS + TOLERANCE_SECONDS) * 1000;
}

export interface Session {
  /** The id itself is known to the browser alone. */
  id_hash: string;
  username: string;
  /** The user's at sign-in: what ends a user's tokens ends his sessions. */
  token_version: number;
  created_at: Date;
  last_used_at: Date;
}

const COOKIE = "__Host-soc_session";
const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 12 * 60 * 60_000;

/** A session that was not used since the one, or was made before the other, has ended. */
export function computeSessionLimits(now: Date): { notUsedSince: Date; madeBefore: Date } {
  return { notUsedSince: new Date(now.getTime() - IDLE_MS), madeBefore: new Date(now.getTime() - LONGEST_MS) };
}

export function hasEnded({ created_at, last_used_at }: Session, now: Date): boolean {
  const { notUsedSince, madeBefore } = computeSessionLimits(now);
  return last_used_at <= notUsedSince || created_at <= madeBefore;
}

export function formatCookie(sessionId: string): string {
  return `${COOKIE}=${sessionId}; Path=/; Max-Age=${LONGEST_MS / 1000}; HttpOnly; Secure; SameSite=Strict`;
}

export const NO_COOKIE = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`;

export function sessionIdIn(cookies: string | undefined): string | undefined {
  const pairs = cookies?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

export interface Session {
  /** Only the browser knows the id itself. */
  id_hash: string;
  username: string;
  /** The version of the user at sign-in. Whatever invalidates the tokens of a user also invalidates the sessions. */
  token_version: number;
  created_at: Date;
  last_used_at: Date;
  /** Null for a session that is older than this field. */
  user_agent: string | null;
  address: string | null;
  /** The user's name for the device. */
  device_name: string | null;
  /** The provider that authenticated the user; null for a password. */
  provider: string | null;
  /** The provider's id of the session. */
  provider_sid: string | null;
  /** When the session last passed a second factor. */
  factor_at: Date | null;
  /** The session must pass a second factor before any other request. */
  is_pending: boolean;
}

/** How the user was authenticated, unless it was a password alone. */
export type ProvenBy = Pick<Session, "provider" | "provider_sid" | "factor_at" | "is_pending">;

export const BY_PASSWORD: ProvenBy = { provider: null, provider_sid: null, factor_at: null, is_pending: false };

/** The device that a session is opened from. */
export interface Device {
  user_agent: string | null;
  address: string;
}

/** Beyond this many sessions of a user, the oldest one ends. */
export const MAX_SESSIONS = 100;

const NAME_LENGTH = 16;

/** Identifies a session to its user: a part of the hash, which does not reveal the cookie. */
export function nameOf({ id_hash }: Pick<Session, "id_hash">): string {
  return id_hash.slice(0, NAME_LENGTH);
}

const COOKIE = "__Host-soc_session";
const IDLE_MS = 30 * 60_000;
const MAX_AGE_MS = 12 * 60 * 60_000;

/** A session has ended if it was last used before `notUsedSince` or created before `madeBefore`. */
export function computeSessionLimits(now: Date): { notUsedSince: Date; madeBefore: Date } {
  return { notUsedSince: new Date(now.getTime() - IDLE_MS), madeBefore: new Date(now.getTime() - MAX_AGE_MS) };
}

export function hasEnded({ created_at, last_used_at }: Session, now: Date): boolean {
  const { notUsedSince, madeBefore } = computeSessionLimits(now);
  return last_used_at <= notUsedSince || created_at <= madeBefore;
}

export function formatCookie(sessionId: string): string {
  return `${COOKIE}=${sessionId}; Path=/; Max-Age=${MAX_AGE_MS / 1000}; HttpOnly; Secure; SameSite=Strict`;
}

export const NO_COOKIE = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`;

export function sessionIdIn(cookies: string | undefined): string | undefined {
  return findCookie(cookies, COOKIE);
}

export function findCookie(cookies: string | undefined, name: string): string | undefined {
  const pairs = cookies?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

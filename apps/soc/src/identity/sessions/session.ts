export interface Session {
  /** Only the browser knows the id itself. */
  id_hash: string;
  username: string;
  /** The version of the user at sign-in: what invalidates the tokens of a user invalidates the sessions, too. */
  token_version: number;
  created_at: Date;
  last_used_at: Date;
  /** Null for a session from before they were stored. */
  user_agent: string | null;
  address: string | null;
  /** How the user names the device. */
  device_name: string | null;
  /** Who proved the user; null for a password. */
  provider: string | null;
  /** How that provider names the session. */
  provider_sid: string | null;
  /** When the session last had a second factor. */
  factor_at: Date | null;
  /** The session must have a second factor before it may do anything else. */
  is_pending: boolean;
}

/** Who proved the user, unless it was a password alone. */
export type ProvenBy = Pick<Session, "provider" | "provider_sid" | "factor_at" | "is_pending">;

export const BY_PASSWORD: ProvenBy = { provider: null, provider_sid: null, factor_at: null, is_pending: false };

/** Where a session is opened. */
export interface Device {
  user_agent: string | null;
  address: string;
}

/** A user who signs in more often than this ends the oldest session. */
export const MAX_SESSIONS = 100;

const NAME_LENGTH = 16;

/** Names a session to its user: a part of the hash, from which the cookie cannot be found. */
export function nameOf({ id_hash }: Pick<Session, "id_hash">): string {
  return id_hash.slice(0, NAME_LENGTH);
}

const COOKIE = "__Host-soc_session";
const IDLE_MS = 30 * 60_000;
const MAX_AGE_MS = 12 * 60 * 60_000;

/** A session has ended when it was not used since `notUsedSince` or was created before `madeBefore`. */
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

/** An authentication factor of a user in addition to the password. */
export interface Factor {
  id: string;
  username: string;
  kind: "totp" | "webauthn";
  /** The user's name for the factor. */
  name: string;
  /** The secret of a TOTP factor, encrypted. */
  sealed: string | null;
  /** The step of the last accepted code. */
  last_step: number | null;
  created_at: Date;
  /** Null until the user has confirmed the factor; an unconfirmed factor proves nothing. */
  confirmed_at: Date | null;
  last_used_at: Date | null;
}

export const MAX_FACTORS = 10;
/** How long a factor may wait for its confirmation. */
export const CONFIRM_MS = 10 * 60_000;

/** Binds an encrypted secret to its factor. */
export function formatSubject({ id }: Pick<Factor, "id">): string {
  return `factor:${id}`;
}

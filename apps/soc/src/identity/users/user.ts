import type { Role } from "../../foundation/caller/permissions.ts";

export interface NewUser {
  username: string;
  role: Role;
  email: string | null;
  disabled: boolean;
  password_hash: string;
}

export interface User extends NewUser {
  /** The provider that the user comes from; null for one who was created here. */
  provider: string | null;
  /** Tokens and sessions of another version are invalid. */
  token_version: number;
  created_at: Date;
  updated_at: Date;
}

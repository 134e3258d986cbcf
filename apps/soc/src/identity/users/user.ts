import type { Role } from "../../foundation/caller/permissions.ts";

export interface NewUser {
  username: string;
  role: Role;
  email: string | null;
  disabled: boolean;
  password_hash: string;
}

export interface User extends NewUser {
  /** Tokens and sessions of another version are invalid. */
  token_version: number;
  created_at: Date;
  updated_at: Date;
}

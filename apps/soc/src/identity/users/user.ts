import type { Role } from "../../foundation/caller/permissions.ts";

export interface NewUser {
  username: string;
  role: Role;
  email: string | null;
  disabled: boolean;
  password_hash: string;
}

export interface User extends NewUser {
  /** A token or session of another version is worth nothing. */
  token_version: number;
  created_at: Date;
  updated_at: Date;
}

import { listTexts, type SiteName } from "../../foundation/caller/caller.ts";
import type { Role } from "../../foundation/caller/permissions.ts";

export interface NewUser {
  username: string;
  role: Role;
  email: string | null;
  disabled: boolean;
  password_hash: string;
  /** The sites that the user works for; null or missing for all of them. */
  sites?: readonly SiteName[] | null;
}

export interface User extends NewUser {
  sites: readonly SiteName[] | null;
  /** The provider of the user; null for a local user. */
  provider: string | null;
  /** Tokens and sessions of another version are invalid. */
  token_version: number;
  created_at: Date;
  updated_at: Date;
}

export type UserRights = Pick<User, "username" | "role" | "disabled" | "token_version" | "sites">;

/** Converts the sites to the form of a caller: undefined for all sites. */
export function toCallerSites({ sites }: Pick<User, "sites">): { sites?: readonly string[] } {
  return sites === null ? {} : { sites: listTexts(sites) };
}

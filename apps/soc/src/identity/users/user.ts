import type { Role } from "../../foundation/caller/permissions.ts";
import { listTexts, type SiteName } from "../../foundation/caller/scope.ts";

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
  /** The provider that the user comes from; null for one who was created here. */
  provider: string | null;
  /** Tokens and sessions of another version are invalid. */
  token_version: number;
  created_at: Date;
  updated_at: Date;
}

export type UserRights = Pick<User, "username" | "role" | "disabled" | "token_version" | "sites">;

/** As a caller has them: nothing for all sites. */
export function toCallerSites({ sites }: Pick<User, "sites">): { sites?: readonly string[] } {
  return sites === null ? {} : { sites: listTexts(sites) };
}

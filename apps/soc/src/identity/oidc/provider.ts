import { Problem } from "@kit/problem";
import type { Role } from "../../foundation/caller/permissions.ts";
import { findRight, type GroupRight } from "../users/group-right.ts";

/** An OpenID provider that the operator configured. */
export interface OidcProvider {
  id: string;
  /** Shown on the sign-in page. */
  label: string;
  issuer: string;
  client_id: string;
  /** Undefined for a public client, which has no secret. */
  client_secret: string | undefined;
  scopes: readonly string[];
  /** The claim that becomes the username of a new user. */
  username_claim: string;
  groups_claim: string;
  /** The first entry that names a group of the user applies. */
  rights: readonly GroupRight[];
  /** "here": a session needs a factor of this platform unless the provider reports multi-factor authentication. */
  second_factor: "provider" | "here";
  /** The SHA-256 of the token with which the provider manages its users; undefined if it does not. */
  scim_token_hash: Uint8Array | undefined;
}

/** The ways to sign in that the operator allows. */
export interface SignInSettings {
  providers: readonly OidcProvider[];
  /** If set, only this administrator may sign in with a password, and each sign-in raises an alert. */
  breakGlassUser: string | undefined;
  /** The roles that require a second factor after a password. */
  secondFactorRoles: readonly Role[];
  /** Whether critical actions require a fresh second factor. */
  isStepUpOn: boolean;
  minPasswordLength: number;
}

/** The user as identified by the provider. */
export interface ProvenIdentity {
  provider: string;
  subject: string;
  username: string;
  email: string | null;
  role: Role;
  sites: readonly string[] | null;
}

type Claims = Readonly<Record<string, unknown>>;

const USERNAME = /^[A-Za-z0-9._@+-]{1,100}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const MAX_SUBJECT_LENGTH = 255;

/** Throws if the claims do not name a user, or if no group of the user has a role. */
export function readIdentity(provider: OidcProvider, claims: Claims): ProvenIdentity {
  const { id, username_claim } = provider;
  const { sub, email } = claims;
  const username = claims[username_claim];
  if (typeof sub !== "string" || sub === "" || sub.length > MAX_SUBJECT_LENGTH || sub.includes("\0")) {
    throw new Problem("forbidden", `provider '${id}': claim 'sub' does not name a user`);
  }
  if (typeof username !== "string" || !USERNAME.test(username)) {
    throw new Problem("forbidden", `provider '${id}': claim '${username_claim}' is not a username`);
  }
  const right = readRight(provider, claims);
  if (!right) throw new Problem("forbidden", `provider '${id}': none of your groups has a role here`);
  const address = typeof email === "string" && EMAIL.test(email) ? email : null;
  const { role, sites = null } = right;
  return { provider: id, subject: sub, username, email: address, role, sites };
}

/** RFC 8176: `mfa` means that more than one factor was used. */
export function lacksSecondFactor({ second_factor }: OidcProvider, { amr }: Claims): boolean {
  return second_factor === "here" && !(Array.isArray(amr) && amr.includes("mfa"));
}

/** Returns the rights of the groups in the claims; undefined for none. */
export function readRight({ groups_claim, rights }: OidcProvider, claims: Claims): GroupRight | undefined {
  const claimed = claims[groups_claim];
  return findRight(rights, Array.isArray(claimed) ? claimed : [claimed]);
}

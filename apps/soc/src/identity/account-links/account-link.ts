import type { Tx } from "../../foundation/database/tables.ts";

/** A person who created, enabled or reset an account in the last 30 days counts as one person with it. */
export interface AccountLink {
  account: string;
  changed_by: string;
  changed_at: Date;
}

/** Returns the links of these accounts, and of the accounts that these people changed. */
export type FindAccountLinks = (tx: Tx, usernames: readonly string[]) => Promise<AccountLink[]>;

const LINKED_DAYS = 30;

/** Returns the link that makes two of these people one. */
export function findLinkBetween(
  links: readonly AccountLink[],
  ones: readonly string[],
  others: readonly string[],
): AccountLink | undefined {
  return links.find(
    ({ account, changed_by }) =>
      (ones.includes(account) && others.includes(changed_by)) ||
      (others.includes(account) && ones.includes(changed_by)),
  );
}

/** Explains a link and how to end it. */
export function formatLink({ account, changed_by, changed_at }: AccountLink): string {
  const end = new Date(changed_at.getTime() + LINKED_DAYS * 24 * 3_600_000).toISOString().slice(0, 10);
  return `'${changed_by}' created, enabled or reset the account '${account}', so until ${end} both count as one person: another person decides, or an administrator without such a link to either vouches for '${account}' (POST /api/v1/users/${account}/vouch)`;
}

import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { UsersService } from "../users/users.service.ts";
import { findLinkBetween, formatLink } from "./account-link.ts";
import { findAccountLinks } from "./account-links.store.ts";

export interface AccountLinksDeps {
  users: Pick<UsersService, "lookUp">;
  audit: Recorder;
}
export type AccountLinksService = ReturnType<typeof createAccountLinksService>;

export function createAccountLinksService({ users, audit }: AccountLinksDeps) {
  return {
    /** Ends the links of the account to the people who created or reset it. None of them may do it. */
    async vouch(tx: Tx, { username }: Caller, account: string, { reason }: { reason: string }) {
      requireStorable({ reason });
      const { user } = await users.lookUp(account);
      if (!user) throw notFound("user", account);
      if (user.username === username) throw new Problem("forbidden", "username: you cannot vouch for yourself");
      const links = await findAccountLinks(tx, [user.username]);
      const ended = links.filter((link) => link.account === user.username);
      if (ended.length === 0) throw new Problem("conflict", `user '${user.username}' counts as one person with no one`);
      const linked = [user.username, ...ended.map(({ changed_by }) => changed_by)];
      const own = await findAccountLinks(tx, [username]);
      const between = linked.includes(username)
        ? ended.find(({ changed_by }) => changed_by === username)
        : findLinkBetween([...links, ...own], [username], linked);
      if (between) throw new Problem("forbidden", `username: you cannot vouch: ${formatLink(between)}`);
      const details = { reason, linked_to: ended.map(({ changed_by }) => changed_by) };
      await audit.record(tx, {
        actor: username,
        action: "user.vouched",
        subject_type: "user",
        subject_id: user.username,
        details,
      });
      return { username: user.username, vouched_by: username, ended_links: details.linked_to };
    },
  };
}

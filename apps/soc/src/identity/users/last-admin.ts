import { Problem } from "@kit/problem";
import type { Tx } from "../../foundation/database/tables.ts";
import { createUsersWriter } from "./users.store.ts";

/** For a change that removes the role or the access of an administrator. Locks the administrators first. */
export async function refuseToLoseLastAdmin(tx: Tx, username: string): Promise<void> {
  const admins = await createUsersWriter(tx).lockAdmins();
  if (admins.length === 1 && admins[0] === username)
    throw new Problem("conflict", `user '${username}' is the last administrator`);
}

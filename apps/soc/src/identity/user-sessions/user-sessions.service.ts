import { notFound } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { SessionBody } from "../auth/auth.schema.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import type { SignInAudit } from "../auth/sign-in-audit.ts";
import type { User } from "../users/user.ts";
import type { UsersService } from "../users/users.service.ts";

export interface UserSessionsServiceDeps {
  users: Pick<UsersService, "lookUp" | "endTokens">;
  sessions: Pick<SessionsService, "list" | "end">;
  audit: Pick<SignInAudit, "record">;
}
export type UserSessionsService = ReturnType<typeof createUserSessionsService>;

/** Lets administrators manage the sessions of other users. */
export function createUserSessionsService({ users, sessions, audit }: UserSessionsServiceDeps) {
  async function getUser(username: string): Promise<User> {
    const { user } = await users.lookUp(username);
    if (!user) throw notFound("user", username);
    return user;
  }

  return {
    async list({ session }: Caller, username: string): Promise<SessionBody[]> {
      const user = await getUser(username);
      return sessions.list({ ...user, ...(session !== undefined && { session }) });
    },

    async end(address: string, caller: Caller, username: string, id: string) {
      const user = await getUser(username);
      await sessions.end(user, id);
      await audit.record("auth.session_ended", caller.username, { name: user.username, address });
      return { deleted: true, id };
    },

    /** Also ends the user's tokens, which grant the same access. */
    async endAll(address: string, caller: Caller, username: string) {
      const user = await getUser(username);
      const ended = (await sessions.list(user)).length;
      await users.endTokens(user.username);
      await audit.record("auth.sessions_ended", caller.username, { name: user.username, address });
      return { ended };
    },
  };
}

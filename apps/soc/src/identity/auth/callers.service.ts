import { Problem } from "@kit/problem";
import type { ApiKeysService } from "../api-keys/api-keys.service.ts";
import type { UsersService } from "../users/users.service.ts";
import type { Callers, Credentials, Identified } from "./require-caller.ts";
import type { SessionsService } from "./sessions.service.ts";
import type { Claims, Tokens } from "./tokens.ts";

export interface CallersServiceDeps {
  tokens: Pick<Tokens, "verify">;
  sessions: Pick<SessionsService, "use">;
  apiKeys: Pick<ApiKeysService, "findCaller">;
  users: Pick<UsersService, "lookUp">;
}

/** Turns what a request brings into who makes it. Read anew with each call, so that what changed counts at the next one. */
export function createCallersService({ tokens, sessions, apiKeys, users }: CallersServiceDeps): Callers {
  async function identifyUser({ username, token_version }: Omit<Claims, "role">): Promise<Identified | undefined> {
    const { user, source } = await users.lookUp(username);
    // Signed in after this process last saw the user: genuine, but nobody can say whether it still counts.
    const isUnknown = (user?.token_version ?? 0) < token_version;
    if (source === "unavailable" && isUnknown) throw new Problem("unavailable", "the database is unavailable");
    if (!user || user.disabled || user.token_version !== token_version) return undefined;
    return { caller: { kind: "user", username, role: user.role }, source };
  }

  return {
    async identify(credentials: Credentials) {
      switch (credentials.kind) {
        case "token": {
          const claims = await tokens.verify(credentials.token);
          return claims && identifyUser(claims);
        }
        case "session": {
          const session = await sessions.use(credentials.id);
          return session && identifyUser(session);
        }
        case "api_key": {
          const caller = await apiKeys.findCaller(credentials.key);
          // There are no keys outside the database.
          return caller && { caller, source: "database" };
        }
        default:
          return credentials satisfies never;
      }
    },
  };
}

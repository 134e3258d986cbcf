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

/**
 * Identifies the caller from the credentials of a request. Reads the user again for each request, so that changes take
 * effect at the next one.
 */
export function createCallersService({ tokens, sessions, apiKeys, users }: CallersServiceDeps): Callers {
  async function identifyUser({ username, token_version }: Omit<Claims, "role">): Promise<Identified | undefined> {
    const { user, source } = await users.lookUp(username);
    // The user signed in after this process last read the user: the token is genuine, but its validity cannot be
    // checked now.
    const isUnknown = (user?.token_version ?? 0) < token_version;
    if (source === "unavailable" && isUnknown) throw new Problem("unavailable", "the database is unavailable");
    if (!user || user.disabled || user.token_version !== token_version) return undefined;
    return { caller: { kind: "user", username, role: user.role, token_version }, source };
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
          // API keys exist only in the database.
          return caller && { caller, source: "database" };
        }
        default:
          return credentials satisfies never;
      }
    },
  };
}

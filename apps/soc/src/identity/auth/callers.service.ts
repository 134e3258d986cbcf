import { Problem } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { ApiKeysService } from "../api-keys/api-keys.service.ts";
import type { Claims, Tokens } from "../sessions/tokens.ts";
import { toCallerSites } from "../users/user.ts";
import type { UsersService } from "../users/users.service.ts";
import type { Credentials, IdentifiedCaller } from "./require-caller.ts";
import type { SessionsService } from "./sessions.service.ts";

export interface CallersServiceDeps {
  tokens: Pick<Tokens, "verify">;
  sessions: Pick<SessionsService, "find" | "findEnded">;
  apiKeys: Pick<ApiKeysService, "findCaller">;
  users: Pick<UsersService, "lookUp" | "refreshCallers">;
  /** The roles that require a second factor. */
  secondFactorRoles: readonly Role[];
}

/** The claims of a token or a session about its user. */
interface ProvenClaims extends Omit<Claims, "role" | "session"> {
  /** Null unless a provider authenticated the user; the provider then decides about the second factor. */
  provider?: string | null;
  is_pending?: boolean;
}

/**
 * Identifies the caller from the credentials of a request. Reads the user again for each request, so that changes take
 * effect immediately.
 */
export function createCallersService(deps: CallersServiceDeps) {
  const { tokens, sessions, apiKeys, users, secondFactorRoles } = deps;

  async function identifyUser(proven: ProvenClaims): Promise<IdentifiedCaller | undefined> {
    const { username, token_version, factor_at, provider = null, is_pending = false } = proven;
    const { user, source } = await users.lookUp(username);
    // The user signed in after this process last read the user: the token is genuine, but its validity cannot be
    // checked now.
    const isUnknown = (user?.token_version ?? 0) < token_version;
    if (source === "unavailable" && isUnknown) throw new Problem("unavailable", "the database is unavailable");
    if (!user || user.disabled || user.token_version !== token_version) return undefined;
    const caller: Caller = { kind: "user", username, role: user.role, token_version, ...toCallerSites(user) };
    if (factor_at) return { caller: { ...caller, factor_at }, source };
    const lacksFactor = is_pending || (provider === null && secondFactorRoles.includes(user.role));
    return { caller: lacksFactor ? { ...caller, lacksFactor } : caller, source };
  }

  async function identifyByToken({ session, ...claims }: Claims): Promise<IdentifiedCaller | undefined> {
    const identified = await identifyUser(claims);
    if (!identified) return undefined;
    const caller = { ...identified.caller, byToken: true };
    if (session === undefined) return { ...identified, caller };
    // Without a database no session can be checked; only routes that work offline answer then.
    const isChecked = identified.source !== "unavailable";
    if (isChecked && (await sessions.findEnded([session])).size > 0) return undefined;
    return { ...identified, caller: { ...caller, session } };
  }

  return {
    async identify(credentials: Credentials, isPassive = false): Promise<IdentifiedCaller | undefined> {
      switch (credentials.kind) {
        case "token": {
          const claims = await tokens.verify(credentials.token);
          return claims && identifyByToken(claims);
        }
        case "session": {
          const session = await sessions.find(credentials.id, isPassive);
          const identified = session && (await identifyUser({ ...session, factor_at: session.factor_at ?? undefined }));
          return identified && { ...identified, caller: { ...identified.caller, session: session.id_hash } };
        }
        case "api_key": {
          const caller = await apiKeys.findCaller(credentials.key, credentials.intakeFrom);
          // API keys exist only in the database.
          return caller && { caller, source: "database" };
        }
        default:
          return credentials satisfies never;
      }
    },

    /** For work that outlives a request; see `RefreshCallers`. */
    async refresh(callers: readonly Caller[]): Promise<ReadonlyMap<Caller, Caller>> {
      const [current, ended] = await Promise.all([
        users.refreshCallers(callers),
        sessions.findEnded(callers.flatMap(({ session = [] }) => session)),
      ]);
      const isOver = ({ session }: Caller) => session !== undefined && ended.has(session);
      if (ended.size > 0) for (const caller of callers.filter(isOver)) current.delete(caller);
      return current;
    },
  };
}

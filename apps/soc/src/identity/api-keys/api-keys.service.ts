import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller, FindSites } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { resolveSites } from "../users/resolve-sites.ts";
import { toCallerSites } from "../users/user.ts";
import type { UsersService } from "../users/users.service.ts";
import { type ApiKey, findKeySites, findScopes, formatKey, hashKey, prefixOf } from "./api-key.ts";
import type { ApiKeyBody, CreateApiKeyRequest, NewApiKeyBody } from "./api-keys.schema.ts";
import { type ApiKeysStore, createApiKeysStore, createApiKeysWriter } from "./api-keys.store.ts";
import type { HeldKey, IntakeKeys } from "./intake-keys.ts";

export interface ApiKeysServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ApiKeysStore; showcase: ApiKeysStore };
  users: Pick<UsersService, "lookUp">;
  intakeKeys: IntakeKeys;
  findSites: FindSites;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Ids;
}
/** The prefix of the name of a caller with a key. */
const KEY = "key:";
const USE_MS = 60_000;
const YEAR_MS = 365 * 24 * 3_600_000;
const MAX_YEARS = 10;

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export function createApiKeysService(deps: ApiKeysServiceDeps) {
  const { runtime, stores, users, intakeKeys, findSites, audit, clock, ids } = deps;

  async function readKey(store: ApiKeysStore, key_hash: string): Promise<HeldKey | undefined> {
    const key = await store.findByHash(key_hash);
    if (!key) return undefined;
    const { user: owner, source } = await users.lookUp(key.owner);
    // The database failed after it returned the key. The owner is unknown, so the sender must retry.
    if (source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
    return owner && { key, owner };
  }

  async function getOwner(username: string): Promise<string> {
    const { user } = await users.lookUp(username);
    if (!user || user.disabled) throw invalidField("owner", `user '${username}' does not exist or is disabled`);
    return user.username;
  }

  function record(tx: Tx, caller: Caller, action: string, { id, name, scopes, sites }: ApiKey): Promise<void> {
    const details = { name, scopes, ...(sites && { sites }) };
    return audit.record(tx, { actor: caller.username, action, subject_type: "api_key", subject_id: id, details });
  }

  return {
    /**
     * Returns the holder of the key. `intakeFrom` is the address of a log intake request, whose key may be cached for
     * five seconds. All other requests read the key from the database.
     */
    async findCaller(secret: string, intakeFrom?: string): Promise<Caller | undefined> {
      const store = await runtime.choose(stores);
      const hash = hashKey(secret);
      const read = () => readKey(store, hash);
      const held = await (intakeFrom === undefined ? read() : intakeKeys.find(hash, intakeFrom, read));
      const now = clock.now();
      const scopes = held && findScopes(held.key, held.owner, now);
      if (!scopes) return undefined;
      const { key, owner } = held;
      // Updated once a minute, because a shipper sends many requests a second.
      if (now.getTime() - (key.last_used_at?.getTime() ?? 0) >= USE_MS) {
        key.last_used_at = now;
        await store.markUsed(key.id, now);
      }
      const sites = findKeySites(key, owner);
      return { kind: "api_key", username: `${KEY}${key.name}`, role: "agent", scopes, ...toCallerSites({ sites }) };
    },

    async list(query: PageQuery): Promise<Page<ApiKeyBody>> {
      const page = await (await runtime.choose(stores)).list(query);
      return { ...page, items: page.items.map(toApiKeyBody) };
    },

    async create(tx: Tx, caller: Caller, request: CreateApiKeyRequest): Promise<NewApiKeyBody> {
      const { name, scopes } = request;
      const owner = await getOwner(request.owner ?? caller.username);
      const expires_at = parseEnd(request.expires_at, clock.now());
      const key = formatKey(ids.secret(32));
      const created = await createApiKeysWriter(tx).insert({
        id: ids.next(),
        name,
        prefix: prefixOf(key),
        key_hash: hashKey(key),
        scopes,
        created_by: caller.username,
        owner,
        expires_at,
        sites: await resolveSites(tx, findSites, request.sites ?? null),
      });
      if (!created) throw new Problem("conflict", `name: API key '${name}' already exists`);
      await record(tx, caller, "api_key.created", created);
      return { ...toApiKeyBody(created), key };
    },

    async revoke(tx: Tx, caller: Caller, id: string) {
      const revoked = await createApiKeysWriter(tx).revoke(id);
      if (!revoked) throw notFound("API key", id);
      await record(tx, caller, "api_key.revoked", revoked);
      return { deleted: true, id };
    },

    /** Returns the owners and the creators of the API keys among these callers. */
    findPeople: async (tx: Tx, usernames: readonly string[]): Promise<string[]> =>
      createApiKeysStore(tx).findPeople(
        usernames.filter((name) => name.startsWith(KEY)).map((name) => name.slice(KEY.length)),
      ),

    /** Call it after a revocation was committed, so that this process refuses the key at once. */
    forgetRevoked(): void {
      intakeKeys.forget();
    },
  };
}

/** The default is one year, the maximum ten. */
function parseEnd(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + YEAR_MS);
  const end = new Date(text);
  const lifeMs = end.getTime() - now.getTime();
  if (lifeMs > 0 && lifeMs <= MAX_YEARS * YEAR_MS) return end;
  throw invalidField("expires_at", `must be a time within the next ${MAX_YEARS} years`);
}

function toApiKeyBody({ key_hash: _, sites, created_at, expires_at, last_used_at, ...key }: ApiKey): ApiKeyBody {
  return {
    ...key,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    ...(sites && { sites: [...sites] }),
  };
}

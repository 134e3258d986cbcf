import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { type ApiKey, formatKey, hashKey, prefixOf } from "./api-key.ts";
import type { ApiKeyBody, CreateApiKeyRequest, NewApiKeyBody } from "./api-keys.schema.ts";
import { type ApiKeysStore, createApiKeysWriter } from "./api-keys.store.ts";

export interface ApiKeysServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ApiKeysStore; showcase: ApiKeysStore };
  audit: Recorder;
  ids: Ids;
}
export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export function createApiKeysService({ runtime, stores, audit, ids }: ApiKeysServiceDeps) {
  function record(tx: Tx, caller: Caller, action: string, { id, name, scopes }: ApiKey): Promise<void> {
    const details = { name, scopes };
    return audit.record(tx, { actor: caller.username, action, subject_type: "api_key", subject_id: id, details });
  }

  return {
    async findCaller(key: string): Promise<Caller | undefined> {
      const found = await (await runtime.choose(stores)).findByHash(hashKey(key));
      if (!found || found.revoked) return undefined;
      return { kind: "api_key", username: `key:${found.name}`, role: "agent", scopes: found.scopes };
    },

    async list(query: PageQuery): Promise<Page<ApiKeyBody>> {
      const page = await (await runtime.choose(stores)).list(query);
      return { ...page, items: page.items.map(toApiKeyBody) };
    },

    async create(tx: Tx, caller: Caller, { name, scopes }: CreateApiKeyRequest): Promise<NewApiKeyBody> {
      const key = formatKey(ids.secret(32));
      const created = await createApiKeysWriter(tx).insert({
        id: ids.next(),
        name,
        prefix: prefixOf(key),
        key_hash: hashKey(key),
        scopes,
        created_by: caller.username,
      });
      if (!created) throw new Problem("conflict", `name: API key '${name}' exists already`);
      await record(tx, caller, "api_key.created", created);
      return { ...toApiKeyBody(created), key };
    },

    async revoke(tx: Tx, caller: Caller, id: string) {
      const revoked = await createApiKeysWriter(tx).revoke(id);
      if (!revoked) throw notFound("API key", id);
      await record(tx, caller, "api_key.revoked", revoked);
      return { deleted: true, id };
    },
  };
}

function toApiKeyBody({ id, name, prefix, scopes, revoked, created_by, created_at }: ApiKey): ApiKeyBody {
  return { id, name, prefix, scopes, revoked, created_by, created_at: created_at.toISOString() };
}

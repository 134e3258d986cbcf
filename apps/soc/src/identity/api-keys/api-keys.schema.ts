import Type, { type Static } from "typebox";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";
import { InstantOrNull } from "../../foundation/schema/fields.schema.ts";
import { Sites, SitesBody } from "../users/users.schema.ts";

const Scope = Type.Enum([...PERMISSIONS], { title: "ApiKeyScope" });

export const CreateApiKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9._-]+$" }),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: PERMISSIONS.length, uniqueItems: true }),
    owner: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    expires_at: Type.Optional(Type.String({ format: "date-time" })),
    sites: Type.Optional(Sites),
  },
  { title: "CreateApiKeyRequest", additionalProperties: false },
);
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;

export const ApiKeyPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

export const ApiKeyBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String(),
    scopes: Type.Array(Scope),
    revoked: Type.Boolean(),
    created_by: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    owner: Type.String(),
    expires_at: Type.String({ format: "date-time" }),
    last_used_at: InstantOrNull,
    sites: Type.Optional(SitesBody),
  },
  { title: "ApiKey" },
);
export type ApiKeyBody = Static<typeof ApiKeyBody>;

/** The only response that shows a key. A preview omits it, because that key would not be valid. */
export const NewApiKeyBody = Type.Object({ ...ApiKeyBody.properties, key: Type.String() }, { title: "NewApiKey" });
export type NewApiKeyBody = Static<typeof NewApiKeyBody>;

import type { ListResource } from "./scim.schema.ts";
import { GROUP_SCHEMA } from "./scim-group.ts";
import { LIST_SCHEMA, MAX_PAGE } from "./scim-list.ts";
import { USER_SCHEMA } from "./scim-user.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

/** RFC 7643, section 5. */
export function buildConfig(baseUrl: string) {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_PAGE },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "The token of the provider, from the operator's file",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** RFC 7643, section 6. */
export function buildResourceTypes(baseUrl: string): ListResource {
  const types = [
    { id: "User", endpoint: "/Users", schema: USER_SCHEMA },
    { id: "Group", endpoint: "/Groups", schema: GROUP_SCHEMA },
  ].map((type) => ({
    schemas: [`${CORE}:ResourceType`],
    ...type,
    name: type.id,
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${type.id}` },
  }));
  return listAll(types);
}

interface Attribute {
  name: string;
  type: string;
  multiValued: boolean;
  required: boolean;
  caseExact: boolean;
  mutability: string;
  returned: string;
  uniqueness: string;
  subAttributes?: Attribute[];
}

function describe(name: string, changed: Partial<Attribute> = {}): Attribute {
  return {
    ...{ name, type: "string", multiValued: false, required: false, caseExact: false },
    ...{ mutability: "readWrite", returned: "default", uniqueness: "none" },
    ...changed,
  };
}

const complex = (name: string, subAttributes: Attribute[], multiValued = false) =>
  describe(name, { type: "complex", multiValued, subAttributes });

const USER_ATTRIBUTES = [
  describe("userName", { required: true, uniqueness: "server" }),
  describe("externalId", { caseExact: true }),
  complex("name", [describe("givenName"), describe("familyName")]),
  describe("displayName"),
  complex("emails", [describe("value"), describe("type"), describe("primary", { type: "boolean" })], true),
  describe("active", { type: "boolean" }),
];

const IMMUTABLE = { mutability: "immutable" };
const GROUP_ATTRIBUTES = [
  describe("displayName", { required: true, uniqueness: "server" }),
  describe("externalId", { caseExact: true }),
  complex("members", [describe("value", IMMUTABLE), describe("display", IMMUTABLE), describe("type", IMMUTABLE)], true),
];

/** RFC 7643, section 7: the attributes that the platform stores. */
export function buildSchemas(baseUrl: string): ListResource {
  const schemas = [
    { id: USER_SCHEMA, name: "User", attributes: USER_ATTRIBUTES },
    { id: GROUP_SCHEMA, name: "Group", attributes: GROUP_ATTRIBUTES },
  ].map((schema) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${schema.id}` },
  }));
  return listAll(schemas);
}

function listAll(resources: Record<string, unknown>[]): ListResource {
  const { length } = resources;
  return { schemas: [LIST_SCHEMA], totalResults: length, startIndex: 1, itemsPerPage: length, Resources: resources };
}

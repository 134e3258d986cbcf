import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import Type from "typebox";
import { isSentTwice } from "../auth/require-caller.ts";
import {
  Discovered,
  GroupAnswer,
  ListQuery,
  ListResource,
  ResourceQuery,
  ScimPath,
  ScimRequest,
  UserAnswer,
} from "./scim.schema.ts";
import type { ScimService } from "./scim.service.ts";
import { buildConfig, buildResourceTypes, buildSchemas } from "./scim-discovery.ts";
import { toScimError } from "./scim-error.ts";
import type { ScimGroupsService } from "./scim-groups.service.ts";
import type { ScimProvider } from "./scim-provider.ts";
import type { ScimUsersService } from "./scim-users.service.ts";

export interface ScimRoutesDeps {
  scim: ScimService;
  users: ScimUsersService;
  groups: ScimGroupsService;
  baseUrl: string;
}

const PREFIX = "/scim/v2";
const TYPE = "application/scim+json; charset=utf-8";
const USER_BYTES = 64 * 1024;
/** 10,000 members, each with its address. */
const GROUP_BYTES = 4 * 1024 * 1024;

const reading = { needs: "scim" } as const;
/** Done in dry_run, too, like every sign-in: a person who leaves the company must lose access. */
const changing = { needs: "scim", effect: "internal" } as const;

/** RFC 7644, at the paths that providers expect. */
export function scimRoutes({ scim, users, groups, baseUrl }: ScimRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const providerOf = admitProviders(app, scim);

    app.get(
      `${PREFIX}/ServiceProviderConfig`,
      {
        config: reading,
        schema: {
          operationId: "getScimConfig",
          summary: "Get the supported SCIM features",
          response: { 200: Discovered },
        },
      },
      async () => buildConfig(baseUrl),
    );
    app.get(
      `${PREFIX}/ResourceTypes`,
      {
        config: reading,
        schema: {
          operationId: "listScimResourceTypes",
          summary: "List SCIM resource types",
          response: { 200: ListResource },
        },
      },
      async () => buildResourceTypes(baseUrl),
    );
    app.get(
      `${PREFIX}/Schemas`,
      {
        config: reading,
        schema: { operationId: "listScimSchemas", summary: "List SCIM schemas", response: { 200: ListResource } },
      },
      async () => buildSchemas(baseUrl),
    );

    for (const { path, noun, resources, answer, bytes } of [
      { path: `${PREFIX}/Users`, noun: "User", resources: users, answer: UserAnswer, bytes: USER_BYTES },
      { path: `${PREFIX}/Groups`, noun: "Group", resources: groups, answer: GroupAnswer, bytes: GROUP_BYTES },
    ]) {
      const words = `provisioned ${noun.toLowerCase()}`;
      app.get(
        path,
        {
          config: reading,
          schema: {
            operationId: `listScim${noun}s`,
            summary: `List ${words}s`,
            querystring: ListQuery,
            response: { 200: ListResource },
          },
        },
        async (request) => scim.run((tx) => resources.list(tx, providerOf(request), request.query)),
      );

      app.post(
        path,
        {
          config: changing,
          bodyLimit: bytes,
          schema: {
            operationId: `createScim${noun}`,
            summary: `Create a ${words}`,
            body: ScimRequest,
            response: { 201: answer },
          },
        },
        async (request, reply) => {
          const created = await scim.run((tx) => resources.create(tx, providerOf(request), request.body));
          return reply.code(201).header("location", created.meta.location).send(created);
        },
      );

      app.get(
        `${path}/:id`,
        {
          config: reading,
          schema: {
            operationId: `getScim${noun}`,
            summary: `Get a ${words}`,
            params: ScimPath,
            querystring: ResourceQuery,
            response: { 200: answer },
          },
        },
        async (request) => {
          const { params, query } = request;
          return scim.run((tx) => resources.get(tx, providerOf(request), params.id, query));
        },
      );

      app.put(
        `${path}/:id`,
        {
          config: changing,
          bodyLimit: bytes,
          schema: {
            operationId: `replaceScim${noun}`,
            summary: `Replace a ${words}`,
            params: ScimPath,
            body: ScimRequest,
            response: { 200: answer },
          },
        },
        async (request) =>
          scim.run((tx) => resources.replace(tx, providerOf(request), request.params.id, request.body)),
      );

      app.delete(
        `${path}/:id`,
        {
          config: changing,
          schema: {
            operationId: `deleteScim${noun}`,
            summary: `Delete a ${words}`,
            params: ScimPath,
            response: { 204: Type.Null() },
          },
        },
        async (request, reply) => {
          await scim.run((tx) => resources.delete(tx, providerOf(request), request.params.id));
          return reply.code(204).send(null);
        },
      );
    }

    const patching = { params: ScimPath, body: ScimRequest };
    app.patch(
      `${PREFIX}/Users/:id`,
      {
        config: changing,
        bodyLimit: USER_BYTES,
        schema: {
          operationId: "updateScimUser",
          summary: "Update a provisioned user",
          ...patching,
          response: { 200: UserAnswer },
        },
      },
      async (request) => scim.run((tx) => users.patch(tx, providerOf(request), request.params.id, request.body)),
    );
    // Without the group: it may have many members.
    app.patch(
      `${PREFIX}/Groups/:id`,
      {
        config: changing,
        bodyLimit: GROUP_BYTES,
        schema: {
          operationId: "updateScimGroup",
          summary: "Update a provisioned group",
          ...patching,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await scim.run((tx) => groups.patch(tx, providerOf(request), request.params.id, request.body));
        return reply.code(204).send(null);
      },
    );
  };
}

/** Every route here is for providers alone, and answers in their form. Returns how a handler finds the provider. */
function admitProviders(app: FastifyInstance, scim: ScimService): (request: FastifyRequest) => ScimProvider {
  const admitted = new WeakMap<FastifyRequest, ScimProvider>();

  app.addHook("onRequest", async (request, reply) => {
    reply.type(TYPE);
    const isUnclear = isSentTwice(request.raw, "authorization");
    admitted.set(request, await scim.admit(isUnclear ? undefined : request.headers.authorization));
  });
  app.addHook("onSend", async (_request, reply, payload) => {
    if (reply.statusCode === 401) reply.header("www-authenticate", "Bearer");
    if (reply.statusCode < 400) return payload;
    reply.type(TYPE);
    return JSON.stringify(toScimError(reply.statusCode, payload, reply.getHeader("problem-code")));
  });

  return (request) => {
    const provider = admitted.get(request);
    if (!provider) throw new Error(`${request.routeOptions.url} has admitted no provider`);
    return provider;
  };
}

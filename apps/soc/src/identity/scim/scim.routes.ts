import type { FastifyInstance, FastifyRequest } from "fastify";
import Type from "typebox";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
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
/** 10,000 members, each with an address. */
const GROUP_BYTES = 4 * 1024 * 1024;

const reading = { needs: "scim" } as const;
/** Executed in dry_run as well, like every sign-in: a person who leaves the company must lose access. */
const changing = { needs: "scim", effect: "internal" } as const;

/** RFC 7644, at the paths that providers expect. */
export function scimRoutes({ scim, users, groups, baseUrl }: ScimRoutesDeps): Routes {
  return async (app) => {
    const providerOf = admitProviders(app, scim);

    app.get(
      `${PREFIX}/ServiceProviderConfig`,
      operation("getScimConfig", "Get the supported SCIM features", reading, { response: { 200: Discovered } }),
      async () => buildConfig(baseUrl),
    );
    app.get(
      `${PREFIX}/ResourceTypes`,
      operation("listScimResourceTypes", "List SCIM resource types", reading, { response: { 200: ListResource } }),
      async () => buildResourceTypes(baseUrl),
    );
    app.get(
      `${PREFIX}/Schemas`,
      operation("listScimSchemas", "List SCIM schemas", reading, { response: { 200: ListResource } }),
      async () => buildSchemas(baseUrl),
    );

    for (const { path, noun, resources, answer, bytes } of [
      { path: `${PREFIX}/Users`, noun: "User", resources: users, answer: UserAnswer, bytes: USER_BYTES },
      { path: `${PREFIX}/Groups`, noun: "Group", resources: groups, answer: GroupAnswer, bytes: GROUP_BYTES },
    ]) {
      const words = `provisioned ${noun.toLowerCase()}`;
      app.get(
        path,
        operation(`listScim${noun}s`, `List ${words}s`, reading, {
          querystring: ListQuery,
          response: { 200: ListResource },
        }),
        async (request) => scim.run((tx) => resources.list(tx, providerOf(request), request.query)),
      );

      app.post(
        path,
        {
          ...operation(`createScim${noun}`, `Create a ${words}`, changing, {
            body: ScimRequest,
            response: { 201: answer },
          }),
          bodyLimit: bytes,
        },
        async (request, reply) => {
          const created = await scim.run((tx) => resources.create(tx, providerOf(request), request.body));
          return reply.code(201).header("location", created.meta.location).send(created);
        },
      );

      app.get(
        `${path}/:id`,
        operation(`getScim${noun}`, `Get a ${words}`, reading, {
          params: ScimPath,
          querystring: ResourceQuery,
          response: { 200: answer },
        }),
        async (request) => {
          const { params, query } = request;
          return scim.run((tx) => resources.get(tx, providerOf(request), params.id, query));
        },
      );

      app.put(
        `${path}/:id`,
        {
          ...operation(`replaceScim${noun}`, `Replace a ${words}`, changing, {
            params: ScimPath,
            body: ScimRequest,
            response: { 200: answer },
          }),
          bodyLimit: bytes,
        },
        async (request) =>
          scim.run((tx) => resources.replace(tx, providerOf(request), request.params.id, request.body)),
      );

      app.delete(
        `${path}/:id`,
        operation(`deleteScim${noun}`, `Delete a ${words}`, changing, {
          params: ScimPath,
          response: { 204: Type.Null() },
        }),
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
        ...operation("updateScimUser", "Update a provisioned user", changing, {
          ...patching,
          response: { 200: UserAnswer },
        }),
        bodyLimit: USER_BYTES,
      },
      async (request) => scim.run((tx) => users.patch(tx, providerOf(request), request.params.id, request.body)),
    );
    // Returns no group, because it may have many members.
    app.patch(
      `${PREFIX}/Groups/:id`,
      {
        ...operation("updateScimGroup", "Update a provisioned group", changing, {
          description: "Answers 204.",
          ...patching,
          response: { 204: Type.Null() },
        }),
        bodyLimit: GROUP_BYTES,
      },
      async (request, reply) => {
        await scim.run((tx) => groups.patch(tx, providerOf(request), request.params.id, request.body));
        return reply.code(204).send(null);
      },
    );
  };
}

/**
 * Admits only providers, and answers in the SCIM format. Returns a function that handlers use to find the provider.
 */
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

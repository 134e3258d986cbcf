import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import {
  CreateUserRequest,
  DirectoryQuery,
  DirectoryUserBody,
  UpdateUserRequest,
  UserBody,
  UserPath,
} from "./users.schema.ts";
import type { UsersService } from "./users.service.ts";

export function usersRoutes(users: UsersService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/users",
      {
        config: { needs: "role:admin" },
        schema: {
          operationId: "listUsers",
          summary: "List users",
          querystring: PageQuery,
          response: { 200: PageOf(UserBody) },
        },
      },
      async ({ query }) => users.list(query),
    );

    app.get(
      "/directory/users",
      {
        config: { needs: "authenticated" },
        schema: {
          operationId: "listDirectoryUsers",
          summary: "List users to assign or mention",
          querystring: DirectoryQuery,
          response: { 200: PageOf(DirectoryUserBody) },
        },
      },
      async ({ query }) => users.listDirectory(query),
    );

    app.post(
      "/users",
      {
        config: { needs: "role:admin", effect: "change", stepUp: true },
        schema: {
          operationId: "createUser",
          summary: "Create a user",
          body: CreateUserRequest,
          response: { 200: PreviewOf(UserBody), 201: UserBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => users.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.patch(
      "/users/:username",
      {
        config: { needs: "role:admin", effect: "change", stepUp: true },
        schema: {
          operationId: "updateUser",
          summary: "Update a user",
          params: UserPath,
          body: UpdateUserRequest,
          response: { 200: Type.Union([UserBody, PreviewOf(UserBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const updated = await changes.run(request, (tx, caller) => users.update(tx, caller, params.username, body));
        return answer(reply, 200, updated);
      },
    );

    app.delete(
      "/users/:username",
      {
        config: { needs: "role:admin", effect: "change", stepUp: true },
        schema: {
          operationId: "deleteUser",
          summary: "Delete a user",
          params: UserPath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { username } = request.params;
        const deleted = await changes.run(request, (tx, caller) => users.delete(tx, caller, username));
        return answer(reply, 200, deleted);
      },
    );
  };
}

import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import {
  CreateUserRequest,
  DirectoryQuery,
  DirectoryUserBody,
  UpdateUserRequest,
  UserBody,
  UserPath,
} from "./users.schema.ts";
import type { UsersService } from "./users.service.ts";

export function usersRoutes(users: UsersService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/users",
      operation(
        "listUsers",
        "List users",
        { needs: "role:admin" },
        { querystring: PageQuery, response: { 200: PageOf(UserBody) } },
      ),
      async ({ query }) => users.list(query),
    );

    app.get(
      "/directory/users",
      operation(
        "listDirectoryUsers",
        "List users to assign or mention",
        { needs: "authenticated" },
        {
          description: "For choosing an assignee. With `active=false`, users who can no longer sign in.",
          querystring: DirectoryQuery,
          response: { 200: PageOf(DirectoryUserBody) },
        },
      ),
      async ({ query }) => users.listDirectory(query),
    );

    app.post(
      "/users",
      operation(
        "createUser",
        "Create a user",
        { needs: "role:admin", effect: "change", stepUp: true },
        { body: CreateUserRequest, response: { 200: PreviewOf(UserBody), 201: UserBody } },
      ),
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => users.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.patch(
      "/users/:username",
      operation(
        "updateUser",
        "Update a user",
        { needs: "role:admin", effect: "change", stepUp: true },
        { params: UserPath, body: UpdateUserRequest, response: { 200: WithPreviewOf(UserBody) } },
      ),
      async (request, reply) => {
        const { params, body } = request;
        const updated = await changes.run(request, (tx, caller) => users.update(tx, caller, params.username, body));
        return answer(reply, 200, updated);
      },
    );

    app.delete(
      "/users/:username",
      operation(
        "deleteUser",
        "Delete a user",
        { needs: "role:admin", effect: "change", stepUp: true },
        { params: UserPath, response: { 200: WithPreviewOf(Deleted) } },
      ),
      async (request, reply) => {
        const { username } = request.params;
        const deleted = await changes.run(request, (tx, caller) => users.delete(tx, caller, username));
        return answer(reply, 200, deleted);
      },
    );
  };
}

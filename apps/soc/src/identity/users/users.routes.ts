import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) => users.create(tx, caller, request.body)),
    );

    app.patch(
      "/users/:username",
      operation(
        "updateUser",
        "Update a user",
        { needs: "role:admin", effect: "change", stepUp: true },
        { params: UserPath, body: UpdateUserRequest, response: { 200: WithPreviewOf(UserBody) } },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          users.update(tx, caller, request.params.username, request.body),
        ),
    );

    app.delete(
      "/users/:username",
      operation(
        "deleteUser",
        "Delete a user",
        { needs: "role:admin", effect: "change", stepUp: true },
        { params: UserPath, response: { 200: WithPreviewOf(Deleted) } },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => users.delete(tx, caller, request.params.username)),
    );
  };
}

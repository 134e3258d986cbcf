import type { SessionBody } from "@soc/service/contract/identity/auth/auth";
import type { CreateUserRequest, UpdateUserRequest, UserBody } from "@soc/service/contract/identity/users/users";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type User = Wire<UserBody>;
export type UserSession = Wire<SessionBody>;

export const sessionsKey = (username: string) => ["users", "sessions", username] as const;

const at = (username: string) => `/users/${encodeURIComponent(username)}`;

export const listUsers = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<ListResponse<User>>("/users", { query, signal });

export const createUser = (server: Server, user: CreateUserRequest) => server.post<ChangeResult<User>>("/users", user);

export const updateUser = (server: Server, username: string, changes: UpdateUserRequest) =>
  server.patch<ChangeResult<User>>(at(username), changes);

export const readUserSessions = (server: Server, username: string, signal?: AbortSignal) =>
  server.get<{ items: UserSession[] }>(`${at(username)}/sessions`, { signal });

export const endUserSession = (server: Server, username: string, id: string) =>
  server.remove<{ deleted: boolean }>(`${at(username)}/sessions/${encodeURIComponent(id)}`);

export const endUserSessions = (server: Server, username: string) =>
  server.remove<{ ended: number }>(`${at(username)}/sessions`);

export const removeFactors = (server: Server, username: string) =>
  server.remove<ChangeResult<{ removed: number }>>(`${at(username)}/factors`);

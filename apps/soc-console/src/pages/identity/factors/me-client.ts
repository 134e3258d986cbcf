import type { SessionBody } from "@soc/service/contract/identity/auth/auth";
import type { ChangeResult, Server } from "../../../app/server/server.ts";

export const SESSIONS_KEY = ["sessions", "list"] as const;

export type OpenSession = SessionBody;

export const readSessions = (server: Server, signal?: AbortSignal) =>
  server.get<{ items: OpenSession[] }>("/me/sessions", { signal });

export const nameDevice = (server: Server, id: string, device_name: string | null) =>
  server.patch<{ items: OpenSession[] }>(`/me/sessions/${id}`, { device_name });

export const endSession = (server: Server, id: string) => server.remove<{ deleted: boolean }>(`/me/sessions/${id}`);

export const endOtherSessions = (server: Server) => server.remove<{ ended: number }>("/me/sessions");

export const changePassword = (server: Server, current_password: string, new_password: string) =>
  server.post<ChangeResult<{ password_changed: boolean }>>("/me/password", { current_password, new_password });

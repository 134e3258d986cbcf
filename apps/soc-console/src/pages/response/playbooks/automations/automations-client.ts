import type { AutomationPreviewBody } from "@soc/service/contract/response/automations/automation-previews";
import type {
  AutomationBody,
  CreateAutomationRequest,
  FiringBody,
  UpdateAutomationRequest,
} from "@soc/service/contract/response/automations/automations";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useApp } from "../../../../app/context/app-context.ts";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../../app/server/server.ts";

export function useAutomationsClient(): AutomationsClient {
  const { server } = useApp();
  return useMemo(() => createAutomationsClient(server), [server]);
}

export type Automation = Wire<Static<typeof AutomationBody>>;
export type Firing = Wire<Static<typeof FiringBody>>;
export type AutomationPreview = Wire<Static<typeof AutomationPreviewBody>>;
type Query = Readonly<Record<string, QueryValue>>;

/** The subject of a preview. */
export interface PreviewRequest {
  condition: string;
  playbook_id: string;
  cooldown_minutes: number;
}

export const automationKeys = {
  preview: (request: PreviewRequest) => ["automations", "preview", JSON.stringify(request)] as const,
  firings: (id: string) => ["automations", "firings", id] as const,
};

const MAX_FIRINGS = 50;

export function createAutomationsClient(server: Server) {
  const at = (id: string, rest = "") => `/soar/automations/${encodeURIComponent(id)}${rest}`;
  return {
    list: (query: Query, signal: AbortSignal) =>
      server.get<ListResponse<Automation>>("/soar/automations", { query, signal }),
    create: (request: CreateAutomationRequest) => server.post<ChangeResult<Automation>>("/soar/automations", request),
    update: (id: string, request: UpdateAutomationRequest) => server.patch<ChangeResult<Automation>>(at(id), request),
    remove: (id: string) => server.remove<ChangeResult<Automation> | undefined>(at(id)),
    preview: (request: PreviewRequest, signal: AbortSignal) =>
      server.post<AutomationPreview>("/soar/automations/preview", request, { signal }),
    firings: (id: string, signal: AbortSignal) =>
      server.get<ListResponse<Firing>>(at(id, "/firings"), { query: { limit: MAX_FIRINGS }, signal }),
  };
}

export type AutomationsClient = ReturnType<typeof createAutomationsClient>;

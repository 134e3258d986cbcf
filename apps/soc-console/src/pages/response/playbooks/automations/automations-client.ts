import type { AutomationPreviewBody } from "@soc/service/contract/response/automations/automation-previews";
import type {
  AutomationBody,
  CreateAutomationRequest,
  FiringBody,
  UpdateAutomationRequest,
} from "@soc/service/contract/response/automations/automations";
import type { Static } from "typebox";
import type { Changed } from "../../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../../app/server/server.ts";
import type { Listed, Wire } from "../../../../app/server/wire.ts";

export type Automation = Wire<Static<typeof AutomationBody>>;
export type Firing = Wire<Static<typeof FiringBody>>;
export type AutomationPreview = Wire<Static<typeof AutomationPreviewBody>>;
type Query = Readonly<Record<string, QueryValue>>;

/** What a preview is about. */
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
    list: (query: Query, signal: AbortSignal) => server.get<Listed<Automation>>("/soar/automations", { query, signal }),
    create: (request: CreateAutomationRequest) => server.post<Changed<Automation>>("/soar/automations", request),
    update: (id: string, request: UpdateAutomationRequest) => server.patch<Changed<Automation>>(at(id), request),
    remove: (id: string) => server.remove<Changed<Automation> | undefined>(at(id)),
    preview: (request: PreviewRequest, signal: AbortSignal) =>
      server.post<AutomationPreview>("/soar/automations/preview", request, { signal }),
    firings: (id: string, signal: AbortSignal) =>
      server.get<Listed<Firing>>(at(id, "/firings"), { query: { limit: MAX_FIRINGS }, signal }),
  };
}

export type AutomationsClient = ReturnType<typeof createAutomationsClient>;

import type { PlaybookVersionBody, ValidatedPlaybookBody } from "@soc/service/contract/response/playbooks/playbooks";
import type { Static } from "typebox";
import type { Playbook } from "../../../app/playbooks/playbooks-client.ts";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type ValidationResult = Wire<Static<typeof ValidatedPlaybookBody>>;
export type PlaybookVersion = Wire<Static<typeof PlaybookVersionBody>>;
export type Definition = Omit<Playbook, "id" | "enabled" | "version" | "updated_by" | "created_at" | "updated_at">;
type Query = Readonly<Record<string, QueryValue>>;

const MAX_VERSIONS = 200;

export function createPlaybooksClient(server: Server) {
  const at = (id: string, rest = "") => `/soar/playbooks/${encodeURIComponent(id)}${rest}`;
  return {
    list: (query: Query, signal: AbortSignal) =>
      server.get<ListResponse<Playbook>>("/soar/playbooks", { query, signal }),
    /** With the version for If-Match. */
    read: (id: string, signal: AbortSignal) => server.send<Playbook>("GET", at(id), { signal }),
    yaml: async (id: string, signal: AbortSignal) =>
      (await server.get<Blob>(at(id, "/yaml"), { signal, isFile: true })).text(),
    versions: (id: string, signal: AbortSignal) =>
      server.get<ListResponse<PlaybookVersion>>(at(id, "/versions"), { query: { limit: MAX_VERSIONS }, signal }),
    validate: (yaml: string, signal: AbortSignal) =>
      server.post<ValidationResult>("/soar/playbooks/validate", { yaml }, { signal }),
    save: (id: string, content: { yaml: string } | Definition, ifMatch: string | undefined) =>
      server.put<ChangeResult<Playbook>>(at(id), content, { ifMatch }),
    toggle: (id: string) => server.post<ChangeResult<Playbook>>(at(id, "/toggle")),
  };
}

export type PlaybooksClient = ReturnType<typeof createPlaybooksClient>;

/** The fields of a playbook that people write; the service sets the others. */
export function toDefinition(playbook: Playbook): Definition {
  const { name, description, critical, trigger, inputs, approval, steps } = playbook;
  return { name, description, critical, trigger, inputs, approval, steps };
}

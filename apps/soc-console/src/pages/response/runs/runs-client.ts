import type { EdrActionRecordBody } from "@soc/service/contract/response/edr/edr";
import type { PlaybookVersionBody } from "@soc/service/contract/response/playbooks/playbooks";
import type { Static } from "typebox";
import { type Playbook, type Run, type RunDetail, readPlaybook } from "../../../app/playbooks/playbooks-client.ts";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type InForce = Wire<Static<typeof EdrActionRecordBody>>;
type PlaybookVersion = Wire<Static<typeof PlaybookVersionBody>>;
type Query = Readonly<Record<string, QueryValue>>;

export const runKeys = {
  one: (id: string) => ["runs", "one", id] as const,
  playbook: (id: string, version: number) => ["runs", "playbook", id, String(version)] as const,
  record: (path: string) => ["runs", "record", path] as const,
  names: ["runs", "playbook-names"] as const,
};

const MAX_VERSIONS = 200;

export function createRunsClient(server: Server) {
  return {
    list: (query: Query, signal: AbortSignal) => server.get<ListResponse<Run>>("/soar/executions", { query, signal }),
    read: (id: string, signal: AbortSignal) =>
      server.get<RunDetail>(`/soar/executions/${encodeURIComponent(id)}`, { signal }),
    cancel: (id: string) => server.post<ChangeResult<Run>>(`/soar/executions/${encodeURIComponent(id)}/cancel`),
    /** The playbook version of the run; null if it is no longer stored. */
    playbookThen: async (id: string, version: number, signal: AbortSignal): Promise<Playbook | null> => {
      const present = await readPlaybook(server, id, signal);
      if (present.version === version) return present;
      const { items } = await server.get<ListResponse<PlaybookVersion>>(
        `/soar/playbooks/${encodeURIComponent(id)}/versions`,
        { query: { limit: MAX_VERSIONS }, signal },
      );
      return items.find((each) => each.version === version)?.playbook ?? null;
    },
    playbooks: (signal: AbortSignal) =>
      server.get<ListResponse<Playbook>>("/soar/playbooks", { query: { limit: MAX_VERSIONS }, signal }),
    /** The alert or the case that the placeholders of a step reference. */
    record: (path: string, signal: AbortSignal) => server.get<Record<string, unknown>>(path, { signal }),
    inForce: (query: Query, signal: AbortSignal) =>
      server.get<ListResponse<InForce>>("/edr/actions", { query: { ...query, in_force: true }, signal }),
    release: (endpointId: string) =>
      server.post<ChangeResult<{ status?: string }>>(`/edr/endpoints/${encodeURIComponent(endpointId)}/unisolate`, {}),
  };
}

export type RunsClient = ReturnType<typeof createRunsClient>;

import type {
  CreateExceptionRequest,
  ExceptionBody,
  ExceptionPreviewBody,
  PreviewExceptionRequest,
} from "@soc/service/contract/detection/exceptions/exceptions";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useApp } from "../../../../app/context/app-context.ts";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../../app/server/server.ts";

export type RuleException = Wire<Static<typeof ExceptionBody>>;
export type ExceptionScope = RuleException["scope"];
type ExceptionPreview = Wire<Static<typeof ExceptionPreviewBody>>;

type Query = Readonly<Record<string, QueryValue>>;

function createExceptionsClient(server: Server) {
  return {
    list: (query: Query, signal?: AbortSignal) =>
      server.get<ListResponse<RuleException>>("/detections/exceptions", { query, signal }),
    preview: (request: PreviewExceptionRequest, signal: AbortSignal) =>
      server.post<ExceptionPreview>("/detections/exceptions/preview", request, { signal }),
    create: (request: CreateExceptionRequest) =>
      server.post<ChangeResult<RuleException>>("/detections/exceptions", request),
    end: (id: string) =>
      server.remove<ChangeResult<{ deleted: boolean }>>(`/detections/exceptions/${encodeURIComponent(id)}`),
  };
}

export function useExceptionsClient() {
  const { server } = useApp();
  return useMemo(() => createExceptionsClient(server), [server]);
}

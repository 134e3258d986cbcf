import type { Mode, RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { useQuery } from "@tanstack/react-query";
import { useApp } from "../context/app-context.ts";
import { ApiError } from "../server/api-error.ts";
import type { Server } from "../server/server.ts";

const PATH = "/system/mode";
const PERIOD_MS = 60_000;
const PERIOD_WHILE_UNAVAILABLE_MS = 5000;

export interface ModeReading {
  /** The last known status; undefined until the first response. */
  truth: RuntimeTruthBody | undefined;
  readAt: Date | undefined;
  /** The service does not respond. */
  isUnreachable: boolean;
  /** The service responds, but its database is down: session and mode cannot be read then. */
  isDatabaseLost: boolean;
}

/** The mode as the first request of the console reads it. */
export const modeQuery = (server: Server) => ({
  queryKey: ["mode"],
  queryFn: ({ signal }: { signal: AbortSignal }) => server.get<RuntimeTruthBody>(PATH, { signal }),
  staleTime: PERIOD_WHILE_UNAVAILABLE_MS,
});

/** The mode: what the platform may do and where its data comes from. All parts and all tabs share one request. */
export function useModeReading(): ModeReading {
  const { server, sharedReads } = useApp();
  const { data, dataUpdatedAt, error } = useQuery({
    ...modeQuery(server),
    queryFn: ({ signal }) => sharedReads.read<RuntimeTruthBody>(PATH, signal),
    refetchInterval: ({ state }) =>
      state.error || state.data?.read_data_source === "unavailable" ? PERIOD_WHILE_UNAVAILABLE_MS : PERIOD_MS,
    retry: false,
  });
  return {
    truth: data,
    readAt: dataUpdatedAt === 0 ? undefined : new Date(dataUpdatedAt),
    isUnreachable: error instanceof ApiError && error.status === 0,
    isDatabaseLost: data?.read_data_source === "unavailable" || (error instanceof ApiError && error.status === 503),
  };
}

/** The mode, or undefined until it is known. It decides whether a change is made, previewed or refused. */
export function useMode(): Mode | undefined {
  return useModeReading().truth?.mode;
}

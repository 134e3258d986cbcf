import type { Mode, RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { useQuery } from "@tanstack/react-query";
import { useApp } from "../context/app-context.ts";
import { ApiError } from "../server/api-error.ts";

const PERIOD_MS = 60_000;
const PERIOD_WHILE_UNAVAILABLE_MS = 5000;

export interface ModeReading {
  /** What the service said last; undefined until it has answered. */
  truth: RuntimeTruthBody | undefined;
  readAt: Date | undefined;
  /** The service does not answer at all. */
  isUnreachable: boolean;
  /** The service answers, and its database does not: a session without its database cannot even ask for the mode. */
  isDatabaseLost: boolean;
}

/** What the platform may do and where its data comes from. Every part of the console that asks shares one answer. */
export function useModeReading(): ModeReading {
  const { server } = useApp();
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ["mode"],
    queryFn: ({ signal }) => server.get<RuntimeTruthBody>("/system/mode", { signal }),
    refetchInterval: ({ state }) =>
      state.error || state.data?.read_data_source === "unavailable" ? PERIOD_WHILE_UNAVAILABLE_MS : PERIOD_MS,
    refetchIntervalInBackground: true,
    retry: false,
  });
  return {
    truth: data,
    readAt: dataUpdatedAt === 0 ? undefined : new Date(dataUpdatedAt),
    isUnreachable: error instanceof ApiError && error.status === 0,
    isDatabaseLost: data?.read_data_source === "unavailable" || (error instanceof ApiError && error.status === 503),
  };
}

/** The mode, or undefined until it is known. A change is offered as what it is: done, previewed, or refused. */
export function useMode(): Mode | undefined {
  return useModeReading().truth?.mode;
}

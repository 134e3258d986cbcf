import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useReadAgain } from "../../../app/context/use-read-again.ts";
import type { Server } from "../../../app/server/server.ts";
import type { Permission } from "../../../app/session/session.ts";
import {
  type Alert,
  type Approval,
  type Case,
  type Device,
  type InForce,
  readInForce,
  readOpenCases,
  readPending,
  readSources,
  readUntrusted,
  readUrgent,
  type Source,
} from "./wall-client.ts";

const WALL = "wall";
/** Fallback poll: events update the wall at once unless the stream is interrupted. */
const PERIOD_MS = 120_000;
const CHANGES = /^(?:alert|approval|case|device|attestation|source|endpoint)\./;

/** One query of the wall; absent if the user may not read it. */
export type Reading<Data> = UseQueryResult<Data> | undefined;

function useReading<Data>(
  name: string,
  needs: Permission,
  read: (server: Server, signal: AbortSignal) => Promise<Data>,
): Reading<Data> {
  const { server } = useApp();
  const isAllowed = useMay(needs);
  const query = useQuery({
    queryKey: [WALL, name],
    queryFn: ({ signal }) => read(server, signal),
    enabled: isAllowed,
    refetchInterval: PERIOD_MS,
    refetchIntervalInBackground: true,
  });
  return isAllowed ? query : undefined;
}

interface ListSummary<Item> {
  items: Item[];
  total: number;
}

export interface WallReadings {
  alerts: Reading<ListSummary<Alert>>;
  approvals: Reading<ListSummary<Approval>>;
  cases: Reading<ListSummary<Case>>;
  devices: Reading<ListSummary<Device>>;
  sources: Reading<ListSummary<Source>>;
  force: Reading<ListSummary<InForce>>;
}

/** The wall data, reloaded when part of it changes. */
export function useWall(): WallReadings {
  useReadAgain([WALL], ({ type }) => CHANGES.test(type));
  return {
    alerts: useReading("alerts", "alerts:read", readUrgent),
    approvals: useReading("approvals", "approvals:manage", readPending),
    cases: useReading("cases", "cases:read", readOpenCases),
    devices: useReading("devices", "cps:read", readUntrusted),
    sources: useReading("sources", "siem:read", readSources),
    force: useReading("force", "edr:read", readInForce),
  };
}

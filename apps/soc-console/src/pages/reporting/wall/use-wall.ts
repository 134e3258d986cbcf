import { useQuery } from "@tanstack/react-query";
import { useApp, useMay, useMe } from "../../../app/context/app-context.ts";
import { useReadAgain } from "../../../app/context/use-read-again.ts";
import { type Reading, toReading } from "../../../app/reading/reading.ts";
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

/** One answer of the wall; undefined if the user may not read it. */
function useReading<Data>(
  name: string,
  needs: Permission,
  read: (server: Server, signal: AbortSignal) => Promise<Data>,
): Reading<Data> | undefined {
  const { server } = useApp();
  const isAllowed = useMay(needs);
  const query = useQuery({
    queryKey: [WALL, name],
    queryFn: ({ signal }) => read(server, signal),
    enabled: isAllowed,
    refetchInterval: PERIOD_MS,
  });
  return isAllowed ? toReading(query) : undefined;
}

interface ListSummary<Item> {
  items: Item[];
  total: number;
}

export interface WallReadings {
  alerts: Reading<ListSummary<Alert>> | undefined;
  approvals: Reading<ListSummary<Approval>> | undefined;
  cases: Reading<ListSummary<Case>> | undefined;
  devices: Reading<ListSummary<Device>> | undefined;
  sources: Reading<ListSummary<Source>> | undefined;
  force: Reading<ListSummary<InForce>> | undefined;
}

/** The wall data, reloaded when part of it changes. */
export function useWall(): WallReadings {
  const { username } = useMe();
  useReadAgain([WALL], ({ type }) => CHANGES.test(type));
  return {
    alerts: useReading("alerts", "alerts:read", (server, signal) => readUrgent(server, username, signal)),
    approvals: useReading("approvals", "approvals:manage", readPending),
    cases: useReading("cases", "cases:read", readOpenCases),
    devices: useReading("devices", "cps:read", readUntrusted),
    sources: useReading("sources", "siem:read", readSources),
    force: useReading("force", "edr:read", readInForce),
  };
}

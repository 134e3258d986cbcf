import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useReadAgain } from "../../../app/context/use-read-again.ts";
import {
  type Attestation,
  DEVICES,
  readAttestations,
  readDevices,
  readNewestAttestations,
  readSites,
  VERDICTS,
  type Verdict,
} from "./devices-client.ts";
import { findNewest } from "./verdicts.ts";

const BAD: readonly Verdict[] = ["untrusted", "failed", "stale"];
const STALE_MS = 300_000;

/** Device count per verdict, and in total. */
export function useCounts() {
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: [DEVICES, "counts"],
    queryFn: async ({ signal }) => {
      const count = async (verdict?: Verdict) => (await readDevices(server, { verdict, limit: 1 }, signal)).total;
      const [all, ...totals] = await Promise.all([count(), ...VERDICTS.map((verdict) => count(verdict))]);
      return { all, byVerdict: new Map(VERDICTS.map((verdict, at) => [verdict, totals[at] ?? 0])) };
    },
  });
  return data;
}

export interface FleetAttestations {
  /** The most recent of the fleet, for the chart. */
  newest: readonly Attestation[];
  /** The last known attestation of each device. */
  byDevice: ReadonlyMap<string, Attestation>;
}

const NONE: FleetAttestations = { newest: [], byDevice: new Map() };

/** The most recent attestations, and those that explain why devices are not trusted. */
export function useFleetAttestations(): FleetAttestations {
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: [DEVICES, "attestations"],
    queryFn: async ({ signal }) => {
      const [newest, ...bad] = await Promise.all([
        readNewestAttestations(server, signal),
        ...BAD.map(async (verdict) => (await readAttestations(server, { verdict }, signal)).items),
      ]);
      return { newest, byDevice: findNewest([...newest, ...bad.flat()]) };
    },
  });
  useReadAgain([DEVICES], ({ type }) => type.startsWith("device.") || type.startsWith("attestation."));
  return data ?? NONE;
}

/** Site names by id; empty for a user who may not list sites. */
export function useSiteNames(): ReadonlyMap<string, string> {
  const { server } = useApp();
  const mayRead = useMay("sites:read");
  const { data } = useQuery({
    queryKey: ["sites", "list"],
    queryFn: ({ signal }) => readSites(server, signal),
    staleTime: STALE_MS,
    enabled: mayRead,
    retry: false,
  });
  return useMemo(() => new Map(data?.items.map(({ id, name }) => [id, name])), [data]);
}

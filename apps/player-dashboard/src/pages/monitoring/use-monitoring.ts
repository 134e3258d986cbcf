import type { MonitoringBody, SentBody } from "@player/service/contract/monitoring";
import { useEffect, useMemo } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { every } from "../../app/browser/clock.ts";
import { startPoll } from "../../app/live/poll.ts";
import { createResource, type Reading } from "../../app/live/resource.ts";

export interface Overview {
  status: MonitoringBody;
  /** The newest messages. */
  sent: SentBody;
}

export interface Monitoring {
  reading: Reading<Overview>;
  refresh: () => Promise<void>;
}

/** The device sends no frames about it, so the page polls. */
const PERIOD_MS = 4000;

/** The state and the newest messages. Asks for the token when this browser has none. */
export function useMonitoring(): Monitoring {
  const { api, live, commands } = useApp();
  const overview = useMemo(
    () =>
      createResource(
        () =>
          commands.unlocked(async () => {
            const status = await api.get<MonitoringBody>("/monitoring");
            return { status, sent: await api.get<SentBody>("/monitoring/sent") };
          }),
        live.bootId,
      ),
    [api, live, commands],
  );
  useEffect(() => startPoll({ page: document, every, periodMs: PERIOD_MS, task: overview.refresh }).stop, [overview]);
  return { reading: overview.reading.value, refresh: overview.refresh };
}

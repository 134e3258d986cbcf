import type { PrayerConfigRequest } from "@player/service/contract/prayer";
import type { ApiClient } from "../api/api-client.ts";
import type { Position } from "./places.ts";

/** What is set together with a place. What is left out stays as it is. */
export interface Adoption extends Position, Pick<PrayerConfigRequest, "method" | "asr_hanafi"> {
  /** The POSIX rule of its time zone. */
  rule?: string | undefined;
}

/** The zone goes first: with the times of a new place in the old zone, an adhan might be called at once. */
export async function adoptPlace(api: Pick<ApiClient, "post">, { rule, ...config }: Adoption): Promise<void> {
  if (rule !== undefined) await api.post("/settings/timezone", { timezone: rule });
  await api.post("/prayer/config", config);
}

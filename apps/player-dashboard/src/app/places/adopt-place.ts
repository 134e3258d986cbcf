import type { PrayerConfigRequest } from "@player/service/contract/prayer";
import type { ApiClient } from "../api/api-client.ts";
import type { Position } from "./places.ts";

/** Settings that change together with the place. Omitted fields do not change. */
export interface Adoption extends Position, Pick<PrayerConfigRequest, "method" | "asr_hanafi" | "offsets_min"> {
  /** The POSIX rule of its time zone. */
  rule?: string | undefined;
}

/** Sets the zone first: new prayer times in the old zone could trigger an adhan immediately. */
export async function adoptPlace(api: Pick<ApiClient, "post">, { rule, ...config }: Adoption): Promise<void> {
  if (rule !== undefined) await api.post("/settings/timezone", { timezone: rule });
  await api.post("/prayer/config", config);
}

import type { SettingsBody } from "@player/service/contract/settings";
import type { ApiClient } from "../../app/api/api-client.ts";
import type { Language } from "../../app/language/language.ts";
import { type Adoption, adoptPlace } from "../../app/places/adopt-place.ts";

export interface SetUp {
  place: Adoption;
  settings: Pick<SettingsBody, "time_synced" | "language">;
  language: Language;
  /** This browser's clock. */
  nowMs: number;
}

/** Sets the device's place and time zone; also its clock and language if it has none of its own. */
export async function setUp(api: Pick<ApiClient, "post">, { place, settings, language, nowMs }: SetUp): Promise<void> {
  // A time server is more accurate than a phone; a clock chip may be years off.
  if (!settings.time_synced) await api.post("/settings/time", { epoch: Math.round(nowMs / 1000) });
  if (settings.language !== language) await api.post("/settings", { language });
  await adoptPlace(api, place);
}

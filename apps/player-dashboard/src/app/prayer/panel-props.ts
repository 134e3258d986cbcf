import type { PrayerBody, PrayerConfigRequest } from "@player/service/contract/prayer";
import type { SettingsBody } from "@player/service/contract/settings";

/** What the panels of the page share. */
export interface PanelProps {
  /** As the device said it, with what the owner has just asked for. */
  prayer: PrayerBody;
  settings: SettingsBody;
  change: (request: PrayerConfigRequest) => void;
}

import type { PrayerBody, PrayerConfigRequest } from "@player/service/contract/prayer";
import type { SettingsBody } from "@player/service/contract/settings";

/** What the panels of the page share. */
export interface PanelProps {
  /** The device's state with the owner's pending changes. */
  prayer: PrayerBody;
  settings: SettingsBody;
  change: (request: PrayerConfigRequest) => void;
}

import type { SettingsBody } from "@player/service/contract/settings";
import { useApp } from "../../app/app.ts";

type Change = Partial<Pick<SettingsBody, "after_adhan" | "hijri_adjust" | "high_latitude">>;

/** Changes a setting that has no route of its own, optimistically. */
export function useSettingsChange(): (change: Change) => void {
  const { api, live, commands } = useApp();
  return (change) => void commands.run(() => live.settings.attempt(change, () => api.post("/settings", change)));
}

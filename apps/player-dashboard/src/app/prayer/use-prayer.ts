import { useMemo } from "preact/hooks";
import { useApp } from "../app.ts";
import { after } from "../browser/clock.ts";
import { createConfigDraft } from "./config-draft.ts";
import type { PanelProps } from "./panel-props.ts";
import { mergeConfig } from "./prayers.ts";

/** The prayer times and their configuration; undefined until they are loaded. */
export function usePrayer(): PanelProps | undefined {
  const { api, live, commands } = useApp();
  const draft = useMemo(
    () => createConfigDraft({ send: (request) => commands.run(() => api.post("/prayer/config", request)), after }),
    [api, commands],
  );
  const prayer = live.prayer.value;
  const settings = live.settings.view.value;
  if (!prayer || !settings) return undefined;
  return {
    prayer: { ...prayer, config: mergeConfig(prayer.config, draft.pending.value) },
    settings,
    change: draft.change,
  };
}

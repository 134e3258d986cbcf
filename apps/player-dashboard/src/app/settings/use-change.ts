import type { SettingsBody } from "@player/service/contract/settings";
import { useState } from "preact/hooks";
import { useApp } from "../app.ts";

/** Changes settings: shown at once, and back at the former value when the device refuses. Answers whether it was done. */
export function useChange() {
  const { api, live, commands } = useApp();
  const [, setAttempts] = useState(0);
  return async (change: Partial<SettingsBody>, path = "/settings", body: object = change): Promise<boolean> => {
    const isDone = await commands.run(() => live.settings.attempt(change, () => api.post(path, body)));
    // The browser has moved the control by itself. Without the token nothing else would move it back.
    setAttempts((attempts) => attempts + 1);
    return isDone;
  };
}

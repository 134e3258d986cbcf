import type { SettingsBody } from "@player/service/contract/settings";
import { useState } from "preact/hooks";
import { useApp } from "../app.ts";

/** Changes settings optimistically, and reverts them when the device refuses. Returns whether it succeeded. */
export function useChange() {
  const { api, live, commands } = useApp();
  const [, setAttempts] = useState(0);
  return async (change: Partial<SettingsBody>, path = "/settings", body: object = change): Promise<boolean> => {
    const isDone = await commands.run(() => live.settings.attempt(change, () => api.post(path, body)));
    // The browser has already changed the control; render again, because without the token nothing else resets it.
    setAttempts((attempts) => attempts + 1);
    return isDone;
  };
}

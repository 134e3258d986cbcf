import type { PairingBody } from "@player/service/contract/pairing";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/api-client.ts";
import { useApp } from "../app.ts";

export type PairingHint = "onScreen" | "holdForScreen" | "holdForSound" | "onConsole" | "holdForConsole" | "noCode";

/** How this device shows a code to a person in front of it; undefined until the device has said so. */
export function usePairing(): PairingBody | undefined {
  const { api } = useApp();
  const [pairing, setPairing] = useState<PairingBody>();
  useEffect(() => {
    api.get<PairingBody>("/pairing").then(setPairing, (error: unknown) => {
      // The form works without the hint.
      if (!(error instanceof ApiError)) throw error;
    });
  }, [api]);
  return pairing;
}

/** What to do at the device, by what this device can do. */
export function choosePairingHint({ open, ways }: PairingBody): PairingHint {
  if (ways.screen) return open ? "onScreen" : ways.button ? "holdForScreen" : "noCode";
  if (ways.sound) return "holdForSound";
  if (ways.console) return open ? "onConsole" : ways.button ? "holdForConsole" : "noCode";
  return "noCode";
}

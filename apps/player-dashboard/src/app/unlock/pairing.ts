import type { PairingBody } from "@player/service/contract/pairing";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/api-client.ts";
import { useApp } from "../app.ts";

export type PairingHint =
  | "scan"
  | "holdForDigits"
  | "onScreen"
  | "holdForScreen"
  | "holdForSound"
  | "runCommand"
  | "otherPhone";

/** What a person in front of this device can do; undefined until the device has answered. */
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

/** What to do at the device, by what this device can do now: the easiest way first. */
export function choosePairingHints({ open, paired, ways }: PairingBody): PairingHint[] {
  if (ways.screen && open) return ["onScreen"];
  if (ways.screen && !paired) return ways.button ? ["scan", "holdForDigits"] : ["scan"];
  if (ways.screen && ways.button) return ["holdForScreen"];
  if (ways.sound && ways.button) return ["holdForSound"];
  return ways.console ? ["otherPhone", "runCommand"] : ["otherPhone"];
}

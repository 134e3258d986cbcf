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

/** The ways to pair at this device; undefined until the device responds. */
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

/** Instructions for pairing at this device, easiest way first. */
export function choosePairingHints({ open, paired, ways }: PairingBody): PairingHint[] {
  if (ways.screen && open) return ["onScreen"];
  if (ways.screen && !paired) return ways.button ? ["scan", "holdForDigits"] : ["scan"];
  if (ways.screen && ways.button) return ["holdForScreen"];
  if (ways.sound && ways.button) return ["holdForSound"];
  return ways.console ? ["otherPhone", "runCommand"] : ["otherPhone"];
}

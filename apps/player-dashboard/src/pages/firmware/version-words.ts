import type { OtaBody, OtaStatus } from "@player/service/contract/ota";
import { fill } from "../../app/language/translations.ts";
import type { FirmwarePhrases } from "./firmware-phrases.ts";

/** In these statuses the old version still runs, so the reported version is the one before the update. */
const BEFORE_RESTART: readonly OtaStatus[] = ["downloading", "receiving", "verifying", "installing"];

export function isBeforeRestart({ status }: Pick<OtaBody, "status">): boolean {
  return BEFORE_RESTART.includes(status);
}

/** The current and the previous version. `from` is the version that this browser saw before the restart, if any. */
export function versionWords(
  { status, in_progress }: Pick<OtaBody, "status" | "in_progress">,
  { from, version }: { from: string | undefined; version: string },
  phrases: Pick<FirmwarePhrases, "runs" | "runsUntilThen" | "updated" | "stayed">,
): string {
  if (in_progress) return fill(isBeforeRestart({ status }) ? phrases.runsUntilThen : phrases.runs, { version });
  if (status === "failed" || status === "rolled_back") return fill(phrases.stayed, { version });
  if (status === "success" && from !== undefined && from !== version) return fill(phrases.updated, { from, version });
  return fill(phrases.runs, { version });
}

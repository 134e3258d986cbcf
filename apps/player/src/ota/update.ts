import type { RunningSystem } from "./firmware-updater.ts";
import type { OtaBody, OtaMode, OtaStatus } from "./ota.schema.ts";

/** The current update, or the last one. */
export interface Update {
  mode: OtaMode;
  status: OtaStatus;
  progress: number;
  error: string;
  /** The system that ran when the update began: the rollback target. */
  slot: string;
  boot_id: string;
  /** How many times the service has started on the new system. */
  trials: number;
}

/** The range of each step on the way from 0 to 100. */
const SPANS: Readonly<Record<OtaStatus, readonly [from: number, to: number]>> = {
  idle: [0, 0],
  downloading: [0, 40],
  receiving: [0, 40],
  verifying: [40, 45],
  installing: [45, 90],
  rebooting: [90, 90],
  confirming: [95, 95],
  success: [100, 100],
  failed: [0, 0],
  rolled_back: [0, 0],
};

const ENDED: readonly OtaStatus[] = ["idle", "success", "failed", "rolled_back"];
const MAX_TRIALS = 3;
const MAX_ROLLBACKS = 3;

export function isUnderWay({ status }: Pick<Update, "status">): boolean {
  return !ENDED.includes(status);
}

/** `share` is the completed part of the step, 0..1. */
export function toOverallProgress(status: OtaStatus, share: number): number {
  const [from, to] = SPANS[status];
  return Math.floor(from + (to - from) * Math.min(Math.max(share, 0), 1));
}

export function toBody(update: Update | undefined): OtaBody {
  if (!update) return { in_progress: false, progress: 0, mode: "idle", status: "idle", error: "" };
  const { mode, status, progress, error } = update;
  const in_progress = isUnderWay(update);
  return { in_progress, progress, mode: in_progress ? mode : "idle", status, error };
}

/** How to continue with an update that the service finds when it starts. */
export type Verdict = "ended" | "interrupted" | "restart_missing" | "on_trial" | "condemned" | "hopeless" | "fell_back";

export function judgeUpdate(update: Update, { slot, bootId }: Pick<RunningSystem, "slot" | "bootId">): Verdict {
  const { status, trials } = update;
  if (status === "success" || status === "rolled_back" || status === "idle") return "ended";
  if (slot !== update.slot) return judgeOnNewSystem(update);
  if (status === "failed") return "ended";
  if (status !== "rebooting" && status !== "confirming") return "interrupted";
  return bootId === update.boot_id && trials === 0 ? "restart_missing" : "fell_back";
}

function judgeOnNewSystem({ status, error, trials }: Update): Verdict {
  // An installer that was interrupted after its last step leaves a complete system: try it, too.
  const isCondemned = (status === "rebooting" && error !== "") || trials >= MAX_TRIALS;
  if (!isCondemned) return "on_trial";
  return trials >= MAX_TRIALS + MAX_ROLLBACKS ? "hopeless" : "condemned";
}

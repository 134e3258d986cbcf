import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Clock } from "@kit/clock";
import type { OutboundAnswer, OutboundGuard } from "@kit/guard/fetch";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { FirmwareUpdater, RunningSystem } from "./firmware-updater.ts";
import { type HealthCheck, proveHealth } from "./health.ts";
import type { OtaBody, OtaMode, OtaStatus } from "./ota.schema.ts";
import type { OtaStore } from "./ota.store.ts";
import { TRANSFER_LIMITS, type TransferLimits, transfer } from "./transfer.ts";
import { isUnderWay, judgeUpdate, toBody, toOverallProgress, type Update } from "./update.ts";
import { isOlder } from "./version.ts";

export interface OtaServiceDeps {
  updater: FirmwareUpdater;
  store: OtaStore;
  guard: Pick<OutboundGuard, "open">;
  clock: Pick<Clock, "monotonicMs" | "sleep" | "deadline">;
  log: Log;
  /** Holds the bundle while it is needed. Only this service uses the folder; it is emptied at every start. */
  folder: string;
  /** The version of the running software. */
  version: string;
  battery: () => Promise<{ present: boolean; percentage: number; charging: boolean }>;
  /** What a new system must be able to do. */
  checks: readonly HealthCheck[];
  /** Emits the status to every client. */
  onStatus: (status: OtaBody) => void;
  limits?: Readonly<TransferLimits>;
}
export type OtaService = ReturnType<typeof createOtaService>;

/** A stream of bytes that should be a bundle. */
interface Incoming {
  field: string;
  source: Readable;
  sizeBytes: number | undefined;
}

const MIN_BATTERY_PERCENT = 20;
const CONNECT_MS = 10_000;
/** In these states the new system may be the one that boots next. */
const MAY_BOOT_NEXT: readonly OtaStatus[] = ["installing", "rebooting"];
const INTERRUPTED = "the update was interrupted, and the former firmware stays";
const DID_NOT_START = "the new firmware did not start, and the former one came back";

export function createOtaService(deps: OtaServiceDeps) {
  const { updater, store, guard, clock, log, folder, version, battery, checks, onStatus } = deps;
  const limits = deps.limits ?? TRANSFER_LIMITS;
  const path = join(folder, "bundle.raucb");
  const closed = new AbortController();
  let update = store.find();
  let isBusy = update !== undefined && isUnderWay(update);
  let failure: { component: "firmware"; error: string } | undefined;

  /** Saves the step before it starts: after a power cut the record never claims more than was done. */
  function move(changed: Partial<Update>): void {
    closed.signal.throwIfAborted();
    if (!update) throw new Error("there is no update to go on with");
    const status = changed.status ?? update.status;
    const progress = isUnderWay({ status }) || status === "success" ? toOverallProgress(status, 0) : update.progress;
    const next = { ...update, progress, ...changed };
    store.save(next);
    publish(next);
  }

  function publish(next: Update): void {
    update = next;
    log.info({ status: next.status, mode: next.mode, why: next.error }, "firmware update");
    onStatus(toBody(next));
  }

  function advance(share: number): void {
    if (!update) return;
    const progress = toOverallProgress(update.status, share);
    if (progress <= update.progress) return;
    update = { ...update, progress };
    onStatus(toBody(update));
  }

  /** Allows one update at a time, and only with enough battery. A refusal has no side effects. */
  async function claim(): Promise<RunningSystem> {
    if (isBusy) throw invalidField("ota", "an update is in progress already");
    isBusy = true;
    try {
      const { present, percentage, charging } = await battery();
      if (present && !charging && percentage < MIN_BATTERY_PERCENT) {
        throw invalidField("battery", `must be at ${MIN_BATTERY_PERCENT} % or charging`);
      }
      return await updater.running();
    } catch (error) {
      isBusy = false;
      throw error;
    }
  }

  async function begin(mode: OtaMode, { slot, bootId }: RunningSystem): Promise<void> {
    const status = mode === "pull" ? "downloading" : "receiving";
    const begun: Update = { mode, status, progress: 0, error: "", slot, boot_id: bootId, trials: 0 };
    store.save(begun);
    publish(begun);
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  async function receive({ field, source, sizeBytes }: Incoming, { compatible }: RunningSystem): Promise<void> {
    const onReceived = (bytes: number) => advance(sizeBytes ? bytes / sizeBytes : 0);
    await transfer({ field, source, sizeBytes, path, limits, clock, onReceived });
    move({ status: "verifying" });
    const bundle = await updater.inspect(path, field);
    if (bundle.compatible !== compatible) {
      throw invalidField(field, `is made for '${bundle.compatible}', not for this device`);
    }
    if (update?.mode === "pull") refuseOlder(field, bundle.version);
  }

  function refuseOlder(field: string, offered: string): void {
    const isOld = isOlder(offered, version);
    if (isOld === undefined) throw invalidField(field, `has the version '${offered}', which is none`);
    if (isOld) throw invalidField(field, `has version ${offered}, older than the installed ${version}`);
  }

  async function install(): Promise<void> {
    move({ status: "installing" });
    await updater.install(path, (percent) => advance(percent / 100));
    await rm(path, { force: true });
    await restart();
  }

  async function restart(): Promise<void> {
    move({ status: "rebooting" });
    await updater.reboot();
    await settle();
  }

  async function giveUp(error: unknown): Promise<void> {
    if (closed.signal.aborted || !update || !isUnderWay(update)) return;
    await rm(path, { force: true });
    if (update.trials === 0 && MAY_BOOT_NEXT.includes(update.status)) await keepRunningSystem();
    const failed: Update = { ...update, status: "failed", error: reasonOf(error) };
    try {
      store.save(failed);
    } catch (cause) {
      log.error({ err: cause }, "saving the end of a firmware update failed");
    }
    publish(failed);
  }

  /** Makes the running system boot next, whatever has been written. */
  async function keepRunningSystem(): Promise<void> {
    await updater.markGood().catch((error: unknown) => {
      log.error({ err: error }, "marking the running firmware for the next start failed");
    });
  }

  /** Runs a part of an update. Any error in it ends the update. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await giveUp(error);
      throw error;
    } finally {
      isBusy = update !== undefined && isUnderWay(update) && !closed.signal.aborted;
    }
  }

  /** The same without a caller: errors are visible only in the status. */
  async function attemptInBackground(work: () => Promise<void>): Promise<void> {
    await attempt(work).catch((error: unknown) => log.warn({ err: error }, "firmware update ended"));
  }

  async function connect(url: string): Promise<OutboundAnswer> {
    const answer = await guard.open(url, {
      field: "url",
      policy: { schemes: ["https:"], allowPrivate: false },
      connectTimeoutMs: CONNECT_MS,
      idleTimeoutMs: limits.idleMs,
      signal: closed.signal,
    });
    if (answer.status === 200) return answer;
    answer.body.destroy();
    throw invalidField("url", `the server answered ${answer.status}`);
  }

  /** Checks which system runs, and ends or continues the update accordingly. */
  async function settle(): Promise<void> {
    const running = await updater.running();
    if (!update) return;
    switch (judgeUpdate(update, running)) {
      case "ended":
        break;
      case "interrupted":
        if (MAY_BOOT_NEXT.includes(update.status)) await keepRunningSystem();
        move({ status: "failed", error: INTERRUPTED });
        break;
      case "restart_missing":
        await restart();
        break;
      case "on_trial":
        await confirm();
        break;
      case "condemned":
        await rollBack(update.error || DID_NOT_START);
        break;
      case "hopeless":
        move({ status: "failed", error: "firmware: the former system could not be started again" });
        break;
      case "fell_back":
        move({ status: "rolled_back", error: update.error || DID_NOT_START });
        break;
    }
  }

  /** The running system is unknown. The record stays unchanged: the next start may succeed. */
  function reportUnknownSystem(error: unknown): void {
    const why = reasonOf(error);
    failure = { component: "firmware", error: why.replace(/^firmware: /, "") };
    log.error({ err: error }, "firmware updates are unavailable");
    if (update && isUnderWay(update)) publish({ ...update, status: "failed", error: why });
    isBusy = false;
  }

  async function confirm(): Promise<void> {
    move({ status: "confirming", error: "", trials: (update?.trials ?? 0) + 1 });
    const kept: HealthCheck = { name: "firmware", check: () => updater.markGood() };
    const problem = await proveHealth([...checks, kept], clock, closed.signal);
    if (problem === undefined) move({ status: "success" });
    else await rollBack(problem);
  }

  async function rollBack(why: string): Promise<void> {
    move({ status: "rebooting", error: why, trials: (update?.trials ?? 0) + 1 });
    await updater.markBad();
    await updater.reboot();
    await settle();
  }

  return {
    status: (): OtaBody => toBody(update),

    /** Resolves when the bundle is valid; its installation continues in the background. */
    async upload(source: Readable, sizeBytes: number | undefined): Promise<OtaBody> {
      const running = await claim();
      await attempt(async () => {
        await begin("upload", running);
        await receive({ field: "body", source, sizeBytes }, running);
      });
      void attemptInBackground(install);
      return toBody(update);
    },

    /** Resolves when the server has started to answer; the rest continues in the background. */
    async pull(url: string): Promise<OtaBody> {
      const running = await claim();
      const answer = await connect(url).catch((error: unknown) => {
        isBusy = false;
        throw asRefusal(error);
      });
      const { body } = answer;
      const incoming = { field: "url", source: body, sizeBytes: parseContentLength(answer.headers["content-length"]) };
      await attempt(() => begin("pull", running)).catch((error: unknown) => {
        body.destroy();
        throw error;
      });
      void attemptInBackground(async () => {
        await receive(incoming, running).finally(() => body.destroy());
        await install();
      });
      return toBody(update);
    },

    /**
     * Call when requests are answered: a new system must pass its health checks. Resolves when there is nothing left to
     * do.
     */
    async start(): Promise<void> {
      try {
        await updater.running();
      } catch (error) {
        reportUnknownSystem(error);
        return;
      }
      await attemptInBackground(async () => {
        await rm(folder, { recursive: true, force: true });
        await settle();
      });
    },

    failure: () => failure,

    /**
     * Ends all waits. An installation in progress continues without this process, and the next start checks its result.
     */
    close(): void {
      closed.abort();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Problem ? error.message : "firmware: internal error";
}

/** For the caller, an unreachable server is a wrong address. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Problem) || error.kind !== "unavailable") return error;
  return new Problem("invalid", error.message, { field: error.field, code: error.code, cause: error });
}

/** The length that the sender announces, if any. */
export function parseContentLength(contentLength: string | undefined): number | undefined {
  return contentLength === undefined ? undefined : Number(contentLength);
}

import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { copyDay, type DayCopyDeps, deleteDay, hasSameLogs, listDays } from "./day-copy.ts";
import { DAY_MS, type OldDay, toDay, toStartMs } from "./old-day.ts";
import type { OldDaysBucket } from "./old-days-bucket.ts";
import { formatOldDays, type OldDaysFile, parseOldDays } from "./old-days-file.ts";

export interface DayMoverDeps extends DayCopyDeps {
  file: OldDaysFile;
  store: Pick<OldDaysBucket, "readText" | "writeText">;
  /** How many days, besides today, stay on the machine. */
  boxDays: number;
  /** Logs are deleted after this many days, wherever they are. */
  retentionDays: number;
  /** How long a day that is read from the bucket stays on the machine: longer than any search and any backup. */
  graceMs?: number;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "info" | "warn">;
}

interface OnBox {
  onBox: number;
  /** The number of logs that are being deleted. */
  aside: number;
}

const LIST = "days.json";
/** How long a day that was moved back stays in the bucket: longer than a search that began there. */
const REST_MS = 60 * 60_000;
/**
 * Days that are being deleted from the machine, and days of a restored machine that the bucket already has. No search
 * reads them.
 */
const LEAVING = "logs_leaving";
const SUPERSEDED = "logs_superseded";

/**
 * Moves old days of logs into the bucket. Every step can be repeated, because the process may end after any of them: a
 * day is read where the list says, and the list is written after the step that it records.
 */
export function createDayMover(deps: DayMoverDeps) {
  const { box, bucket, file, store, boxDays, retentionDays, graceMs = DAY_MS, clock, log } = deps;
  let copied: string | undefined;
  const takenBack = new Map<number, number>();
  const warned = new Set<number>();
  const nowMs = () => clock.now().getTime();

  /** Another machine would start with the copy of the list in the bucket. */
  async function copyList(days: readonly OldDay[]): Promise<void> {
    const text = formatOldDays(days);
    if (text === copied) return;
    await store.writeText(LIST, text);
    copied = text;
  }

  async function replace(day: number, changed: OldDay | undefined): Promise<void> {
    const days = [...file.read().filter((each) => each.day !== day), ...(changed ? [changed] : [])];
    await file.write(days);
    await copyList(days);
  }

  const mark = (each: OldDay, on_box: OldDay["on_box"]) => replace(each.day, { ...each, on_box });

  /** A new copy is made with the late logs. Until then the day is read on the machine, which has all of it. */
  async function takeBack({ day }: OldDay): Promise<void> {
    log.info({ day }, "logs of an old day arrived late; moving it again");
    takenBack.set(day, nowMs());
    await replace(day, undefined);
  }

  /** An empty table may be from a release with different columns. */
  async function createAside(table: string): Promise<void> {
    if ((await listDays(box, table)).size === 0) await box.command(`DROP TABLE IF EXISTS ${table}`);
    await box.command(`CREATE TABLE IF NOT EXISTS ${table} AS logs`);
  }

  const moveAside = (day: number, from: string, to: string) =>
    box.command(`ALTER TABLE ${from} MOVE PARTITION ID '${day}' TO TABLE ${to}`);

  /** Deletes the day's copy on the machine once it is verified to contain nothing that the bucket lacks. */
  async function leave(each: OldDay): Promise<void> {
    await mark(each, "leaving");
    await createAside(LEAVING);
    await moveAside(each.day, "logs", LEAVING);
  }

  /** Completes what `leave` began, in this process or in one that ended. */
  async function settle(each: OldDay): Promise<void> {
    const aside = (await listDays(box, LEAVING)).get(each.day) ?? 0;
    if (aside === each.logs) {
      await mark(each, "gone");
      return forget(each);
    }
    if (aside > 0) await moveAside(each.day, LEAVING, "logs");
    const onBox = (await listDays(box)).get(each.day) ?? 0;
    return onBox > each.logs ? takeBack(each) : mark(each, onBox === 0 ? "gone" : "whole");
  }

  async function forget({ day, logs }: OldDay): Promise<void> {
    await deleteDay(box, day, LEAVING);
    log.info({ day, logs }, "old day of logs is now in the bucket only");
  }

  async function attend(each: OldDay, { onBox, aside }: OnBox): Promise<void> {
    if (each.on_box === "leaving") return settle(each);
    if (each.on_box === "gone") return aside > 0 ? forget(each) : undefined;
    if (onBox > each.logs) return takeBack(each);
    if (onBox === 0) return mark(each, "gone");
    if (onBox < each.logs) return keep(each, onBox);
    if (nowMs() - Date.parse(each.moved_at) < graceMs) return;
    await leave(each);
    await settle({ ...each, on_box: "leaving" });
  }

  /** Logs were lost on the machine. The remaining ones may include late logs. */
  function keep({ day, logs }: OldDay, onBox: number): void {
    if (!warned.has(day))
      log.warn({ day, logs, on_box: onBox }, "an old day has fewer logs on this machine than in the bucket");
    warned.add(day);
  }

  async function move(day: number, signal: AbortSignal): Promise<void> {
    const described = await copyDay(deps, day, signal);
    await replace(day, { ...described, moved_at: clock.now().toISOString(), on_box: "whole" });
    log.info({ day, logs: described.logs, bytes: described.bytes }, "old day of logs copied to the bucket");
  }

  /** A day that an ended process had copied but not listed expires like the others. */
  async function expire(): Promise<void> {
    const isExpired = (day: number) => toStartMs(day) + (retentionDays + 1) * DAY_MS < nowMs();
    for (const { day } of file.read()) if (isExpired(day)) await replace(day, undefined);
    for (const day of (await listDays(bucket)).keys()) if (isExpired(day)) await deleteDay(bucket, day);
  }

  return {
    /** Runs once, before any round: a machine without a list adopts that of the bucket. */
    async begin(): Promise<void> {
      if (file.exists()) return;
      const text = await store.readText(LIST);
      const days = text === undefined ? [] : parseOldDays(text);
      const onBox = await listDays(box);
      for (const { day } of days) {
        if (!onBox.has(day) || !(await hasSameLogs(deps, day))) continue;
        log.warn({ day, logs: onBox.get(day), table: SUPERSEDED }, "an old day is on this machine and in the bucket");
        await createAside(SUPERSEDED);
        await moveAside(day, "logs", SUPERSEDED);
      }
      await file.write(days.map((each) => ({ ...each, on_box: "gone" })));
    },

    async round(signal: AbortSignal): Promise<void> {
      await copyList(file.read());
      await expire();
      const onBox = await listDays(box);
      const aside = await listDays(box, LEAVING);
      for (const each of file.read()) {
        signal.throwIfAborted();
        await attend(each, { onBox: onBox.get(each.day) ?? 0, aside: aside.get(each.day) ?? 0 });
      }
      const listed = new Set(file.read().map(({ day }) => day));
      const last = toDay(new Date(nowMs() - boxDays * DAY_MS));
      const rests = (day: number) => nowMs() - (takenBack.get(day) ?? -Infinity) < REST_MS;
      const due = [...onBox.keys()].filter((day) => day < last && !listed.has(day) && !rests(day));
      for (const day of due.toSorted((a, b) => a - b)) await move(day, signal);
    },
  };
}

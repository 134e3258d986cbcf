import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { Database } from "../storage/database.ts";
import { Target } from "../targets/target.schema.ts";
import type { Schedule } from "./schedule.ts";
import { ScheduleBody } from "./schedules.schema.ts";

export type NewSchedule = Omit<Schedule, "id" | "last_run" | "last_result"> & { id?: number };
export type SchedulesStore = ReturnType<typeof createSchedulesStore>;

const { hour, minute, anchor, volume, last_run } = ScheduleBody.properties;
const Row = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  hour,
  minute,
  anchor: Type.Union([Type.String(), Type.Null()]),
  days: Type.Integer(),
  target: Type.String(),
  volume,
  fade_in_s: Type.Integer(),
  duration_min: Type.Integer(),
  once: Type.Integer(),
  enabled: Type.Integer(),
  last_run,
  last_result: Type.String(),
  handled: Type.String(),
  enabled_at: Type.Union([Type.Integer(), Type.Null()]),
});
const Count = Type.Object({ count: Type.Integer() });
const Dates = Type.Array(Type.String());
const FIELDS =
  "id, name, hour, minute, anchor, days, target, volume, fade_in_s, duration_min, once, enabled, last_run, last_result, handled, enabled_at";

export function createSchedulesStore(database: Database) {
  const selectAll = database.queryRecords(Row, `SELECT ${FIELDS} FROM schedules ORDER BY id`, toSchedule);
  const selectCount = database.query(Count, "SELECT count(*) AS count FROM schedules");
  const insert = database.command(
    `INSERT INTO schedules
       (id, name, hour, minute, anchor, days, target, volume, fade_in_s, duration_min, once, enabled, last_result,
        handled, enabled_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?)`,
  );
  const remove = database.command("DELETE FROM schedules WHERE id = ?");
  const removeAll = database.command("DELETE FROM schedules");
  const update = database.command(
    "UPDATE schedules SET enabled = ?, enabled_at = ?, last_run = ?, last_result = ?, handled = ? WHERE id = ?",
  );

  return {
    list: (): Schedule[] => selectAll.all(),

    count: (): number => selectCount.first()?.count ?? 0,

    /** Returns the id of the new schedule: its original id from a backup, otherwise the next one. */
    insert(schedule: NewSchedule): number {
      const { name, days, target, fade_in_s, duration_min, once, enabled, handled } = schedule;
      return insert(
        schedule.id ?? null,
        name,
        schedule.hour,
        schedule.minute,
        schedule.anchor && JSON.stringify(schedule.anchor),
        days,
        JSON.stringify(target),
        schedule.volume,
        fade_in_s,
        duration_min,
        Number(once),
        Number(enabled),
        JSON.stringify(handled),
        schedule.enabled_at,
      ).insertedId;
    },

    /** Returns whether a schedule was removed. */
    remove: (id: number): boolean => remove(id).changes > 0,

    removeAll(): void {
      removeAll();
    },

    /** Saves what changes while a schedule exists. */
    update({ id, enabled, enabled_at, last_run, last_result, handled }: Schedule): void {
      update(Number(enabled), enabled_at, last_run, last_result, JSON.stringify(handled), id);
    },
  };
}

function toSchedule({ once, enabled, target, anchor: stored, handled, ...row }: Static<typeof Row>): Schedule {
  return {
    ...row,
    once: once === 1,
    enabled: enabled === 1,
    target: Value.Parse(Target, JSON.parse(target)),
    anchor: Value.Parse(anchor, stored && JSON.parse(stored)),
    handled: Value.Parse(Dates, JSON.parse(handled)),
  };
}

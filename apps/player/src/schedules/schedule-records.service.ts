import type { TryWrite } from "../storage/try-write.ts";
import type { Schedule } from "./schedule.ts";
import type { NewSchedule, SchedulesStore } from "./schedules.store.ts";

export interface ScheduleRecordsServiceDeps {
  store: SchedulesStore;
  tryWrite: TryWrite;
}

/**
 * All schedules in memory, so that a storage that fails stops none of them. What the owner changes is saved before it
 * takes effect; what the clock changes takes effect at once, and is saved as soon as the storage can be written.
 */
export function createScheduleRecordsService({ store, tryWrite }: ScheduleRecordsServiceDeps) {
  let records = readAll();

  function readAll(): Map<number, Schedule> {
    return new Map(store.list().map((schedule) => [schedule.id, schedule]));
  }

  function save(id: number): void {
    const schedule = records.get(id);
    if (schedule) store.update(schedule);
  }

  return {
    list: (): Schedule[] => [...records.values()],

    /** Also counts rows that this version does not understand. */
    count: (): number => store.count(),

    find: (id: number): Schedule | undefined => records.get(id),

    insert(schedule: NewSchedule): Schedule {
      const inserted = { ...schedule, id: store.insert(schedule), last_run: null, last_result: "" };
      records.set(inserted.id, inserted);
      return inserted;
    },

    remove(id: number): void {
      store.remove(id);
      records.delete(id);
    },

    /** The owner's change: throws a Problem when it cannot be saved. */
    change(changed: Schedule): void {
      store.update(changed);
      records.set(changed.id, changed);
    },

    /** The clock's change. It never throws. */
    note(changed: Schedule): void {
      if (!records.has(changed.id)) return;
      records.set(changed.id, changed);
      tryWrite(() => save(changed.id), `schedule ${changed.id}`);
    },

    /** The store was replaced by a backup or a reset. */
    reload(): void {
      records = readAll();
    },
  };
}

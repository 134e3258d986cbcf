import type { PrayerService } from "../prayer/prayer.service.ts";
import type { CardsService } from "../rfid/cards.service.ts";
import type { SchedulesService } from "../schedules/schedules.service.ts";

export interface FileUsers {
  prayer: Pick<PrayerService, "config">;
  cards: Pick<CardsService, "list">;
  schedules: Pick<SchedulesService, "list">;
}

/** The files of the card that are named by themselves: the recordings of the adhan, and what cards and schedules play. */
export function listUsedFiles({ prayer, cards, schedules }: FileUsers): ReadonlySet<string> {
  const { path, fajr_path } = prayer.config().adhan;
  const targets = [...cards.list().map(({ binding }) => binding), ...schedules.list().map(({ target }) => target)];
  const steps = targets.flatMap((target) => (target.type === "sequence" ? target.steps : [target]));
  return new Set([path, fajr_path, ...steps.flatMap((step) => (step.type === "file" ? step.path : []))]);
}

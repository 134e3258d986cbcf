import type { FavoritesService } from "../favorites/favorites.service.ts";
import type { RenameResult } from "../library/card-files.schema.ts";
import { type CardMove, movePath } from "../library/card-move.ts";
import type { ResumeService } from "../playback/resume.service.ts";
import type { PrayerService } from "../prayer/prayer.service.ts";
import type { CardsService } from "../rfid/cards.service.ts";
import type { SchedulesService } from "../schedules/schedules.service.ts";
import type { TryWrite } from "../storage/try-write.ts";
import { moveTarget } from "../targets/moved-target.ts";

export interface MovesServiceDeps {
  favorites: Pick<FavoritesService, "follow">;
  resume: Pick<ResumeService, "follow">;
  prayer: Pick<PrayerService, "config" | "configure">;
  cards: Pick<CardsService, "list" | "register">;
  schedules: Pick<SchedulesService, "list">;
  tryWrite: TryWrite;
}
export type MovesService = ReturnType<typeof createMovesService>;

/** Updates everything that names a file of the card when the file is renamed. */
export function createMovesService({ favorites, resume, prayer, cards, schedules, tryWrite }: MovesServiceDeps) {
  async function followAdhan(move: CardMove): Promise<void> {
    const { path, fajr_path } = prayer.config().adhan;
    const moved = { path: movePath(move, path), fajr_path: movePath(move, fajr_path) };
    if (moved.path === undefined && moved.fajr_path === undefined) return;
    await prayer.configure({
      adhan: {
        ...(moved.path !== undefined && { path: moved.path }),
        ...(moved.fajr_path !== undefined && { fajr_path: moved.fajr_path }),
      },
    });
  }

  async function followCards(move: CardMove): Promise<void> {
    for (const card of cards.list()) {
      const binding = moveTarget(move, card.binding);
      if (binding) await cards.register({ ...card, binding });
    }
  }

  return {
    /** Returns what cannot follow and still names the former path. */
    async follow(move: CardMove): Promise<Pick<RenameResult, "not_followed">> {
      tryWrite(() => favorites.follow(move));
      resume.follow(move);
      await followAdhan(move);
      await followCards(move);
      const left = schedules.list().filter(({ target }) => moveTarget(move, target) !== undefined);
      return { not_followed: left.map(({ id, name }) => ({ type: "schedule", id, name })) };
    },
  };
}

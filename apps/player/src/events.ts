import type { ListChange } from "./favorites/favorites.schema.ts";
import type { LibraryChange } from "./library/library.schema.ts";
import type { HifzBody, ModeBody, PlaybackStatus } from "./playback/playback.schema.ts";
import type { SettingsBody } from "./settings/settings.schema.ts";

/** Everything the service tells its clients, by name. The socket forwards each of them as it is. */
export interface PlayerEvents {
  playback: PlaybackStatus;
  position: { position: number; duration: number };
  volume: { volume: number };
  mode: ModeBody;
  hifz: HifzBody & { phase: "playing" | "gap" | "done" };
  metadata: { title: string };
  favorites: ListChange;
  stations: ListChange;
  settings: SettingsBody;
  library: LibraryChange;
  error: { code: string; message: string };
}

/** Anything of the map; its type says what its data is. */
export interface PlayerEvent {
  type: keyof PlayerEvents;
  data: PlayerEvents[keyof PlayerEvents];
}

export interface Events {
  emit<Type extends keyof PlayerEvents>(type: Type, data: PlayerEvents[Type]): void;
  /** Calls back for every event, in the order they happened. Returns the function that stops listening. */
  onEvent(listener: (event: PlayerEvent) => void): () => void;
}

export function createEvents(): Events {
  const listeners = new Set<(event: PlayerEvent) => void>();
  return {
    emit(type, data) {
      for (const listener of listeners) listener({ type, data });
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

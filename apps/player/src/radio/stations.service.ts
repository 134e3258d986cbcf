import type { Clock } from "@kit/clock";
import { invalidField, notFound } from "@kit/problem";
import { listPart } from "../backup/list-part.ts";
import type { Events } from "../events.ts";
import type { ListChange } from "../favorites/favorites.schema.ts";
import type { PlayableTarget } from "../playback/target.schema.ts";
import { below } from "../storage/backup-part.ts";
import { type AddStationRequest, StationBody } from "./stations.schema.ts";
import type { StationsStore } from "./stations.store.ts";

export interface StationsServiceDeps {
  store: StationsStore;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "now">;
  /** Refuses an invalid stream address and names the field. */
  checkUrl: (field: string, url: string) => Promise<void>;
}
export type StationsService = ReturnType<typeof createStationsService>;

const MAX_STATIONS = 100;
const ID = /^[1-9]\d{0,14}$/;

export function createStationsService({ store, events, clock, checkUrl }: StationsServiceDeps) {
  function insert(station: AddStationRequest): number {
    if (store.count() >= MAX_STATIONS) {
      throw invalidField("stations", `there are ${MAX_STATIONS} already, and no more can be kept`, {
        code: "storage_limit",
      });
    }
    return store.insert(station);
  }

  function emitChange(action: ListChange["action"], id: number): void {
    events.emit("stations", { action, id, count: store.count() });
  }

  /** The stream that plays need not be a saved station. */
  function date(url: string, field: "last_played" | "last_ok"): void {
    const id = store.findId(url);
    if (id === undefined) return;
    store.date(id, field, Math.floor(clock.now().getTime() / 1000));
    emitChange("played", id);
  }

  function reload(): void {
    emitChange("replaced", 0);
  }

  return {
    list: (): StationBody[] => store.list(),

    find: (id: number): StationBody | undefined => store.find(id),

    /** The owner's name of the stream that is playing; "" for anything else. */
    findName(source: PlayableTarget | null): string {
      return source?.type === "stream" ? (store.list().find(({ url }) => url === source.url)?.name ?? "") : "";
    },

    /** Each URL is one station: adding it again renames it. */
    async add(station: AddStationRequest): Promise<{ id: number; created: boolean }> {
      checkName(station.name);
      await checkUrl("url", station.url);
      const known = store.findId(station.url);
      if (known !== undefined) store.rename(known, station.name);
      const id = known ?? insert(station);
      emitChange("added", id);
      return { id, created: known === undefined };
    },

    remove(id: string): void {
      if (!ID.test(id) || !store.remove(Number(id))) throw notFound("station", id);
      emitChange("removed", Number(id));
    },

    backup: listPart({
      name: "stations",
      Item: StationBody,
      maxItems: MAX_STATIONS,
      list: () => store.list(),
      keysOf: ({ id, url }) => [`id ${id}`, `url ${url}`],
      async check({ name, url }, field) {
        below(field, () => checkName(name));
        await checkUrl(`${field}.url`, url);
      },
      removeAll: () => store.removeAll(),
      insert: (kept) => store.restore(kept),
      reload,
    }),

    /** The store was replaced by a backup or a reset. */
    reload,

    /** The station was played long enough to count. */
    countPlay: (url: string): void => date(url, "last_played"),

    /** The station's audio played. */
    countOk: (url: string): void => date(url, "last_ok"),
  };
}

function checkName(name: string): void {
  if (/\p{Cc}/u.test(name))
    throw invalidField("name", "must not contain control characters", { code: "characters_forbidden" });
}

import { useCallback, useEffect, useRef, useState } from "react";
import { after } from "../../../app/browser/clock.ts";
import { useLive, useMe } from "../../../app/context/app-context.ts";
import type { LiveEvent } from "../../../app/live/live-stream.ts";
import { ApiError } from "../../../app/server/api-error.ts";
import type { AlertParameters } from "./alert-filter.ts";
import { type AlertItem, isHandledBy } from "./alert-item.ts";
import type { Alert, AlertsClient } from "./alerts-client.ts";

/** The list polls for changes at most once in this time: two requests each, at most 30 a minute. */
const PERIOD_MS = 4000;
/** How many alerts the service returns by id. */
const MAX_IDS = 100;

export interface NewsDeps {
  client: AlertsClient;
  /** The filter, with the start of the time range. */
  readParameters: () => AlertParameters;
  /** Whether the list contains the alert. */
  isLoaded: (id: string) => boolean;
  patch: (change: (item: AlertItem) => AlertItem) => void;
  /** Another key is another list. */
  key: string;
}

export interface AlertNews {
  /** Matching alerts that wait to be shown. */
  waiting: number;
  /** Changes were missed, or there were too many: the list must be reloaded. */
  isIncomplete: boolean;
  clear: () => void;
  /** Excludes changes that this page makes. */
  expectOwn: (ids: readonly string[]) => void;
}

interface Change {
  actor: string | null;
  at: string;
}

interface PendingNews {
  changed: Map<string, Change>;
  candidates: Set<string>;
}

const createGathered = (): PendingNews => ({ changed: new Map(), candidates: new Set() });

/** Changes rows in place, and counts new alerts: rows never move under the cursor. */
export function useAlertNews({ client, readParameters, isLoaded, patch, key }: NewsDeps): AlertNews {
  const { username } = useMe();
  const [found, setFound] = useState<ReadonlySet<string>>(() => new Set());
  const [isIncomplete, setIsIncomplete] = useState(false);
  const own = useRef(new Set<string>());
  const gathered = useRef(createGathered());
  const cancelAsking = useRef<(() => void) | undefined>(undefined);

  const clear = useCallback(() => {
    gathered.current = createGathered();
    setFound(new Set());
    setIsIncomplete(false);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each list has its own news.
  useEffect(() => clear, [key, clear]);
  useEffect(() => () => cancelAsking.current?.(), []);

  async function ask(): Promise<void> {
    cancelAsking.current = undefined;
    const { changed, candidates } = gathered.current;
    gathered.current = createGathered();
    if (changed.size > MAX_IDS || candidates.size > MAX_IDS) setIsIncomplete(true);
    try {
      await Promise.all([
        changed.size > 0 && patchChanged(new Map([...changed].slice(0, MAX_IDS))),
        candidates.size > 0 && countNew([...candidates].slice(0, MAX_IDS)),
      ]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIsIncomplete(true);
    }
  }

  async function patchChanged(changed: ReadonlyMap<string, Change>): Promise<void> {
    const { items } = await client.listByIds({}, [...changed.keys()]);
    const fresh = new Map(items.map((alert) => [alert.id, alert]));
    patch((item) => {
      const [alert, change] = [fresh.get(item.alert.id), changed.get(item.alert.id)];
      return alert && change ? applyNews(item, alert, change, username) : item;
    });
  }

  async function countNew(ids: readonly string[]): Promise<void> {
    const { items } = await client.listByIds(readParameters(), ids);
    const unseen = items.filter(({ id }) => !isLoaded(id));
    if (unseen.length > 0) setFound((before) => new Set([...before, ...unseen.map(({ id }) => id)]));
  }

  useLive({
    onEvents: (events) => {
      for (const event of events) gather(event, { isLoaded, own: own.current, gathered: gathered.current });
      const { changed, candidates } = gathered.current;
      if (changed.size + candidates.size > 0) cancelAsking.current ??= after(PERIOD_MS, () => void ask());
    },
    onReset: () => setIsIncomplete(true),
  });

  const expectOwn = useCallback((ids: readonly string[]) => {
    for (const id of ids) own.current.add(id);
    after(3 * PERIOD_MS, () => {
      for (const id of ids) own.current.delete(id);
    });
  }, []);
  return { waiting: found.size, isIncomplete, clear, expectOwn };
}

interface GatherDeps extends Pick<NewsDeps, "isLoaded"> {
  own: ReadonlySet<string>;
  gathered: PendingNews;
}

function gather({ type, subject_id, actor, at }: LiveEvent, { isLoaded, own, gathered }: GatherDeps): void {
  if (!type.startsWith("alert.") || own.has(subject_id)) return;
  if (isLoaded(subject_id)) gathered.changed.set(subject_id, { actor, at });
  else gathered.candidates.add(subject_id);
}

function applyNews(item: AlertItem, alert: Alert, { actor, at }: Change, me: string): AlertItem {
  const isHandled = actor !== null && isHandledBy(item.alert, alert, me);
  return { ...item, alert, handled: isHandled ? { by: actor, at } : item.handled };
}

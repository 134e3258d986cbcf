import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { monotonicMs, now } from "../../../app/browser/clock.ts";
import { useMe } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { isPreview } from "../../../app/server/server.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import {
  type AlertItem,
  applyPatch,
  type Difference,
  isOpenAlert,
  listDifferences,
  type Target,
} from "./alert-item.ts";
import { type Alert, type AlertPatch, type AlertSelection, type AlertsClient, alertKeys } from "./alerts-client.ts";
import { alertsPhrases } from "./alerts-phrases.ts";
import { changeAlert } from "./change-alert.ts";
import { useFailureNotice } from "./use-failure-notice.ts";

const UNDO_MS = 60_000;
const SHOWN_MS = 12_000;
const MAX_REMEMBERED = 20;

export interface Preview {
  /** The alert; undefined for a bulk change. */
  id: string | undefined;
  label: string;
  differences: readonly Difference[];
  count: number;
}

interface AppliedChange {
  changeId: string;
  atMs: number;
  label: string;
  /** The previous state of the visible rows. */
  before: ReadonlyMap<string, Alert>;
  isWhole: boolean;
}

export interface ActionDeps {
  client: AlertsClient;
  patchRows: (change: (item: AlertItem) => AlertItem) => void;
  /** The loaded rows that a change concerns. */
  isChosen: (id: string) => boolean;
  expectOwn: (ids: readonly string[]) => void;
  reload: () => void;
}

export interface AlertActions {
  change: (target: Exclude<Target, { kind: "filter" }>, patch: AlertPatch, label: string) => Promise<void>;
  /** Throws if the number of matching alerts has changed. */
  changeSelected: (selected: AlertSelection, patch: AlertPatch, label: string) => Promise<void>;
  undo: () => Promise<void>;
  preview: Preview | undefined;
  closePreview: () => void;
}

/** Changes alerts, shows the result optimistically if it can be undone, and undoes it. */
export function useAlertActions({ client, patchRows, isChosen, expectOwn, reload }: ActionDeps): AlertActions {
  const words = usePhrases(alertsPhrases);
  const mode = useMode();
  const { username } = useMe();
  const { notify } = useNotices();
  const fail = useFailureNotice();
  const queries = useQueryClient();
  const done = useRef<AppliedChange[]>([]);
  const closeNotice = useRef<(() => void) | undefined>(undefined);
  const [preview, setPreview] = useState<Preview>();

  /** Applies the change to the visible rows, and returns their previous state. */
  const show = useCallback(
    (isMeant: (id: string) => boolean, patch: AlertPatch): Map<string, Alert> => {
      const before = new Map<string, Alert>();
      const at = now().toISOString();
      patchRows((item) => {
        if (!isMeant(item.alert.id)) return item;
        before.set(item.alert.id, item.alert);
        const alert = applyPatch(item.alert, patch);
        return { ...item, alert, handled: isOpenAlert(alert) ? undefined : { by: username, at } };
      });
      return before;
    },
    [patchRows, username],
  );

  const restore = useCallback(
    (before: ReadonlyMap<string, Alert>) =>
      patchRows((item) => {
        const alert = before.get(item.alert.id);
        return alert ? { ...item, alert, handled: undefined } : item;
      }),
    [patchRows],
  );

  const undo = useCallback(async () => {
    const last = done.current.pop();
    closeNotice.current?.();
    if (!last || monotonicMs() - last.atMs > UNDO_MS) {
      notify({ tone: "plain", text: words.nothingToUndo });
      return;
    }
    try {
      expectOwn([...last.before.keys()]);
      const { restored, refused_total } = await client.undo(last.changeId);
      if (last.isWhole || refused_total > 0) reload();
      else restore(last.before);
      for (const id of last.before.keys()) void queries.invalidateQueries({ queryKey: alertKeys.full(id) });
      const text = refused_total > 0 ? words.undonePartly : words.undone;
      notify({ tone: "ok", text: fill(text, { label: last.label, count: restored, refused: refused_total }) });
    } catch (error) {
      fail(error);
    }
  }, [client, restore, reload, notify, words, fail, queries, expectOwn]);

  /** Stores the undo token and offers Undo. */
  const remember = useCallback(
    (one: AppliedChange, text: string) => {
      done.current = [...done.current, one].slice(-MAX_REMEMBERED);
      closeNotice.current?.();
      const action = { label: words.undo, run: () => void undo() };
      closeNotice.current = notify({ tone: "ok", text, action, forMs: SHOWN_MS });
    },
    [notify, undo, words],
  );

  const changeOne = useCallback(
    async function changeSeen(alert: Alert, patch: AlertPatch, label: string): Promise<void> {
      const isMeant = (id: string) => id === alert.id;
      expectOwn([alert.id]);
      const before = mode === "real" ? show(isMeant, patch) : new Map<string, Alert>();
      try {
        const change = await changeAlert(client, alert, patch);
        if (change.kind === "conflict") {
          const { theirs } = change;
          patchRows((item) => (isMeant(item.alert.id) ? { ...item, alert: theirs, handled: undefined } : item));
          void queries.invalidateQueries({ queryKey: alertKeys.full(alert.id) });
          const text = fill(words.changedMeanwhile, { title: safeText(alert.title), changes: inWords(alert, theirs) });
          const keepMine = () => void changeSeen(theirs, patch, label).catch(fail);
          notify({ tone: "failed", text, action: { label: words.keepMine, run: keepMine }, forMs: SHOWN_MS });
          return;
        }
        const { body, changeId } = change;
        if (isPreview(body)) {
          setPreview({ id: alert.id, label, differences: listDifferences(alert, body.preview), count: 1 });
          return;
        }
        patchRows((item) => (isMeant(item.alert.id) ? { ...item, alert: body } : item));
        void queries.invalidateQueries({ queryKey: alertKeys.full(alert.id), refetchType: "none" });
        const kept = before.size > 0 ? before : new Map([[alert.id, alert]]);
        if (changeId !== undefined) {
          remember({ changeId, atMs: monotonicMs(), label, before: kept, isWhole: false }, `${label} · ${alert.title}`);
        }
      } catch (error) {
        restore(before);
        throw error;
      }
    },
    [client, expectOwn, mode, show, patchRows, remember, restore, queries, notify, fail, words],
  );

  const changeMany = useCallback(
    async (ids: readonly string[], patch: AlertPatch, label: string) => {
      const meant = new Set(ids);
      expectOwn(ids);
      const before = mode === "real" ? show((id) => meant.has(id), patch) : new Map<string, Alert>();
      try {
        const body = await client.changeMany(ids, patch);
        if (isPreview(body)) {
          setPreview({ id: undefined, label, differences: [], count: body.preview.changed });
          return;
        }
        const { change_id: changeId, changed } = body;
        remember(
          { changeId, atMs: monotonicMs(), label, before, isWhole: false },
          fill(words.changedMany, { label, count: changed }),
        );
      } catch (error) {
        restore(before);
        throw error;
      }
    },
    [client, expectOwn, mode, show, remember, restore, words],
  );

  const change = useCallback<AlertActions["change"]>(
    async (target, patch, label) => {
      setPreview(undefined);
      try {
        if (target.kind === "one") await changeOne(target.alert, patch, label);
        else await changeMany(target.ids, patch, label);
      } catch (error) {
        fail(error);
      }
    },
    [changeOne, changeMany, fail],
  );

  const changeSelected = useCallback<AlertActions["changeSelected"]>(
    async (selected, patch, label) => {
      setPreview(undefined);
      const body = await client.changeSelected(selected, patch);
      if (isPreview(body)) {
        setPreview({ id: undefined, label, differences: [], count: body.preview.changed });
        return;
      }
      const before = show(isChosen, patch);
      expectOwn([...before.keys()]);
      const { change_id: changeId, changed } = body;
      remember(
        { changeId, atMs: monotonicMs(), label, before, isWhole: true },
        fill(words.changedMany, { label, count: changed }),
      );
    },
    [client, show, isChosen, expectOwn, remember, words],
  );

  return { change, changeSelected, undo, preview, closePreview: useCallback(() => setPreview(undefined), []) };
}

function inWords(before: Alert, after: Alert): string {
  return listDifferences(before, after)
    .map(({ field, after: value }) => `${field}: ${safeText(value)}`)
    .join(", ");
}

/** Whether the service refused because a different number of alerts matches now. */
export function isOtherTotal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && error.message.includes("expected_total");
}

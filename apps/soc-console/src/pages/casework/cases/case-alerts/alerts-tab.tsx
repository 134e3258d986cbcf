import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { listSelected, useListKeys } from "../../../../app/lists/use-list-keys.ts";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import type { ListResponse } from "../../../../app/server/server.ts";
import { useStatusText } from "../../../../app/status/status.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { WindowList } from "../../../../design/list/window-list.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { casePhrases } from "../case-phrases.ts";
import { type CaseAlert, type CasePage, caseKeys, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { useItemPages } from "../use-item-pages.ts";
import { buildAlertColumns, renderAlert } from "./alert-cells.tsx";
import { caseAlertsPhrases } from "./alerts-phrases.ts";
import { LinkAlertsDialog } from "./link-alerts-dialog.tsx";

const readKey = (alert: CaseAlert) => alert.id;

export function AlertsTab({ page: { case: record } }: { page: CasePage }) {
  const words = { ...usePhrases(caseAlertsPhrases), ...usePhrases(casePhrases) };
  const own = usePhrases(caseAlertsPhrases);
  const common = usePhrases(casesPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { server } = useApp();
  const { go } = useAddress();
  const mode = useMode();
  const { id } = record;
  const pages = useItemPages<CaseAlert>({
    caseId: id,
    noun: "alert",
    read: (query, signal) =>
      server.get<ListResponse<CaseAlert>>("/alerts", { query: { ...query, case_id: id }, signal }),
  });
  const open = useCallback((key: string) => go(`/alerts/${key}`), [go]);
  const keys = useListKeys(pages, readKey, { noun: "case-alerts", group: words.alerts, onOpen: open });
  const { reason } = useChanges();
  const mayLink = useMay("alerts:write", "cases:write") && record.merged_into === null;
  const [isLinking, setIsLinking] = useState(false);
  const chosen = listSelected(keys.selected);
  const unlink = useUnlink(id, () => {
    keys.clear();
    pages.reload();
  });
  const guard = { isEnabled: reason === undefined, reason };
  useCommands([
    ...keys.commands,
    ...(mayLink
      ? [
          {
            id: "case-alerts.link",
            label: words.link,
            group: words.alerts,
            keys: ["l"],
            ...guard,
            isInStatusLine: true,
            run: () => setIsLinking(true),
          },
          {
            id: "case-alerts.unlink",
            label: words.unlink,
            group: words.alerts,
            keys: ["Delete"],
            ...guard,
            run: () => unlink(chosen.length > 0 ? chosen : keys.cursor === undefined ? [] : [keys.cursor]),
          },
        ]
      : []),
  ]);
  useStatusText(fill(common.shown, { shown: pages.count, total: pages.total ?? pages.count }));
  const columns = useMemo(() => buildAlertColumns(own), [own]);
  const render = useCallback(
    (alert: CaseAlert) => renderAlert(alert, { common, alerts: own }, time.dateTime(alert.last_seen)),
    [common, own, time],
  );
  const isPreview = mode === "dry_run";
  return (
    <div className="case-list">
      {mayLink && (
        <div className="cases-bar">
          <Button keys={["L"]} disabled={reason !== undefined} title={reason} onClick={() => setIsLinking(true)}>
            {words.link}
          </Button>
          {chosen.length > 0 && (
            <>
              <span>{numbers.count(chosen.length, common.selected)}</span>
              <Button kind="danger" disabled={reason !== undefined} onClick={() => void unlink(chosen)}>
                {isPreview ? words.unlinkPreview : words.unlink}
              </Button>
            </>
          )}
        </div>
      )}
      {pages.error !== undefined && pages.count === 0 ? (
        <FailedPart error={pages.error} onRetry={pages.reload} />
      ) : (
        <WindowList
          label={words.alerts}
          columns={columns}
          pages={pages}
          rowKey={readKey}
          renderRow={render}
          {...keys.list}
          onOpen={open}
          checkLabel={(alert) => `${words.select}: ${safeText(alert.title)}`}
          empty={<EmptyState title={words.empty} text={mayLink ? words.emptyText : undefined} />}
        />
      )}
      {isLinking && <LinkAlertsDialog caseId={id} onClose={() => setIsLinking(false)} onLinked={pages.reload} />}
    </div>
  );
}

/** Unlinks alerts sequentially: each is a separate change. */
function useUnlink(caseId: string, onDone: () => void): (ids: readonly string[]) => Promise<void> {
  const words = usePhrases(caseAlertsPhrases);
  const numbers = useNumbers();
  const client = useCasesClient();
  const queries = useQueryClient();
  const { send } = useChanges();
  const { notify } = useNotices();
  return async (ids) => {
    let count = 0;
    for (const id of ids) {
      if (!(await send(() => client.unlinkAlert(caseId, id)))) break;
      count += 1;
    }
    if (count === 0) return;
    notify({ tone: "ok", text: numbers.count(count, words.unlinked) });
    void queries.invalidateQueries({ queryKey: caseKeys.one(caseId), exact: true });
    onDone();
  };
}

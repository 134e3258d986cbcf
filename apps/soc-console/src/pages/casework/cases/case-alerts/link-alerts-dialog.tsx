import { Search } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { after } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp } from "../../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { listSelected } from "../../../../app/lists/use-list-keys.ts";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import type { ListResponse } from "../../../../app/server/server.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { Checkbox, TextField } from "../../../../design/field.tsx";
import { NONE_SELECTED, toggleRow } from "../../../../design/list/selection.ts";
import { useListPages } from "../../../../design/list/use-list-pages.ts";
import { WindowList } from "../../../../design/list/window-list.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type CaseAlert, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { buildAlertColumns, renderAlert } from "./alert-cells.tsx";
import { caseAlertsPhrases } from "./alerts-phrases.ts";

const PAGE_ROWS = 100;
const TYPING_MS = 250;
const MAX_LINKED = 500;
const readKey = (alert: CaseAlert) => alert.id;

export interface LinkAlertsDialogProps {
  caseId: string;
  onClose: () => void;
  onLinked: () => void;
}

/** Selects several alerts and links them in one change. */
export function LinkAlertsDialog({ caseId, onClose, onLinked }: LinkAlertsDialogProps) {
  const words = usePhrases(caseAlertsPhrases);
  const common = usePhrases(casesPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { server } = useApp();
  const client = useCasesClient();
  const { send } = useChanges();
  const { notify } = useNotices();
  const mode = useMode();
  const [typed, setTyped] = useState("");
  const [q, setQ] = useState("");
  const [isWithCase, setIsWithCase] = useState(false);
  const [selected, setSelected] = useState(NONE_SELECTED);
  const [cursor, setCursor] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => after(TYPING_MS, () => setQ(typed.trim())), [typed]);
  const pages = useListPages<CaseAlert>(`${q} ${isWithCase}`, async (at, signal) => {
    const query = { limit: PAGE_ROWS, cursor: at, q: q || undefined, has_case: isWithCase ? undefined : false };
    const page = await server.get<ListResponse<CaseAlert>>("/alerts", { query, signal });
    return { rows: page.items.filter((alert) => alert.case_id !== caseId), next: page.next_cursor ?? undefined };
  });
  const toggle = useCallback((key: string) => setSelected((before) => toggleRow(before, key)), []);
  const columns = useMemo(() => buildAlertColumns(words), [words]);
  const render = useCallback(
    (alert: CaseAlert) => renderAlert(alert, { common, alerts: words }, time.dateTime(alert.last_seen)),
    [common, words, time],
  );
  const chosen = listSelected(selected).slice(0, MAX_LINKED);
  const link = async () => {
    setIsBusy(true);
    const answer = await send(() => client.linkAlerts(caseId, chosen)).finally(() => setIsBusy(false));
    if (!answer) return;
    notify({ tone: "ok", text: fill(words.linked, { linked: answer.linked, moved: answer.moved }) });
    onLinked();
    onClose();
  };
  return (
    <Dialog
      title={words.linkTitle}
      onClose={onClose}
      width="l"
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} disabled={chosen.length === 0} onClick={() => void link()}>
            {mode === "dry_run" ? words.linkPreview : numbers.count(chosen.length, words.linkCount)}
          </Button>
        </>
      }
    >
      <div className="case-link-bar">
        <TextField
          label={words.search}
          isLabelHidden
          type="search"
          icon={<Search />}
          placeholder={words.search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Checkbox label={words.withCase} checked={isWithCase} onChange={setIsWithCase} />
      </div>
      {isWithCase && <p className="soft">{words.linkText}</p>}
      <div className="case-link-list">
        {pages.error !== undefined ? (
          <FailedPart error={pages.error} onRetry={pages.reload} />
        ) : (
          <WindowList
            label={words.linkTitle}
            columns={columns}
            pages={pages}
            rowKey={readKey}
            renderRow={render}
            cursor={cursor}
            onCursor={setCursor}
            selected={selected}
            onToggle={toggle}
            onOpen={toggle}
            checkLabel={(alert) => `${words.select}: ${safeText(alert.title)}`}
            empty={<EmptyState title={words.noneFound} />}
          />
        )}
      </div>
    </Dialog>
  );
}

import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { now } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp } from "../../../../app/context/app-context.ts";
import { EndDialog } from "../../../../app/hide/end-dialog.tsx";
import { SuppressDialog } from "../../../../app/hide/suppress-dialog.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FilterLine, FilterSelect, FilterText } from "../../../../app/lists/filter-line.tsx";
import { RecordList } from "../../../../app/lists/record-list.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { useListPages } from "../../../../design/list/use-list-pages.ts";
import { Facts } from "../../../../design/panel.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { RuleLink } from "../rule-link.tsx";
import { createSuppressionsClient, type Suppression } from "./suppressions-client.ts";
import { sortByEnd, spellCriteria } from "./suppressions-order.ts";
import { suppressionsPhrases } from "./suppressions-phrases.ts";

const PAGE_ROWS = 200;
const MAX_PAGES = 10;

const readKey = (item: Suppression) => item.id;

function useSuppressionsClient() {
  const { server } = useApp();
  return useMemo(() => createSuppressionsClient(server), [server]);
}

/** All in one page: the service sorts by start, but users look for the soonest expiry. */
function useSuppressionPages(ruleId: string | undefined, query: { active: boolean | undefined; q?: string }) {
  const client = useSuppressionsClient();
  return useListPages<Suppression>(`${ruleId} ${JSON.stringify(query)}`, async (_cursor, signal) => {
    const rows: Suppression[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const read = await client.list(ruleId, { ...query, limit: PAGE_ROWS, cursor }, signal);
      rows.push(...read.items);
      cursor = read.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    return { rows: sortByEnd(rows, now()), next: undefined, total: rows.length };
  });
}

/** Suppressions of one rule, or of all, soonest expiry first. */
export function SuppressionsList({ ruleId }: { ruleId?: string | undefined }) {
  const words = usePhrases(suppressionsPhrases);
  const time = useTime();
  const { search, change } = useAddress();
  const isAll = search.ended === "yes";
  const query = { active: isAll ? undefined : true, ...(ruleId === undefined && search.sq && { q: search.sq }) };
  const pages = useSuppressionPages(ruleId, query);
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "name", title: words.name, width: "minmax(160px, 1fr)" },
      { key: "criteria", title: words.criteria, width: "minmax(120px, 1fr)" },
      { key: "by", title: words.by, width: "112px" },
      { key: "ends", title: words.ends, width: "164px" },
    ],
    [words],
  );
  const render = useCallback(
    (item: Suppression) => (
      <>
        <span className="list-title list-strong">
          <SafeText>{item.name}</SafeText>
        </span>
        <span className="list-title">
          <SafeText isMono>{spellCriteria(item.criteria)}</SafeText>
        </span>
        <span className="list-title soft">
          <SafeText>{item.created_by}</SafeText>
        </span>
        <span className="list-mono">{time.dateTime(item.expires_at)}</span>
      </>
    ),
    [time],
  );
  return (
    <>
      <FilterLine>
        {ruleId === undefined && <FilterText name="sq" label={words.search} />}
        <FilterSelect
          name="ended"
          label={words.view}
          any={words.active}
          options={[{ value: "yes", label: words.all }]}
        />
      </FilterLine>
      <RecordList
        label={words.suppressions}
        noun="suppressions"
        events="suppression."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(item) => safeText(item.name)}
        renderPane={(item) => <SuppressionPane key={item.id} item={item} onChanged={pages.reload} />}
        empty={<EmptyState title={words.none} text={words.noneText} />}
        onClearFilter={search.sq ? () => change({ sq: "" }) : undefined}
      />
    </>
  );
}

function SuppressionPane({ item, onChanged }: { item: Suppression; onChanged: () => void }) {
  const words = usePhrases(suppressionsPhrases);
  const { count } = useNumbers();
  const time = useTime();
  const client = useSuppressionsClient();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const [dialog, setDialog] = useState<"end" | "extend">();
  const isActive = Date.parse(item.expires_at) > now().getTime();
  const end = async () => {
    if (!(await send(() => client.end(item.id), { before: item }))) return;
    notify({ tone: "ok", text: words.endedNotice });
    onChanged();
  };
  const button = { size: "s" as const, disabled: reason !== undefined, title: reason };
  return (
    <>
      <h2 className="rules-pane-title">
        <SafeText>{item.name}</SafeText>
      </h2>
      {mayWrite && (
        <p className="rules-line">
          {isActive && (
            <Button {...button} onClick={() => setDialog("end")}>
              {words.endNow}
            </Button>
          )}
          <Button {...button} onClick={() => setDialog("extend")}>
            {words.extend}
          </Button>
        </p>
      )}
      <Facts
        items={[
          { label: words.rule, value: <RuleLink rule={{ id: item.rule_id }} /> },
          { label: words.criteria, value: <SafeText isMono>{spellCriteria(item.criteria)}</SafeText> },
          { label: words.reason, value: <SafeText>{item.reason}</SafeText> },
          { label: words.by, value: <SafeText>{item.created_by}</SafeText> },
          { label: words.created, value: <span className="mono">{time.dateTime(item.created_at)}</span> },
          { label: words.length, value: count(item.suppress_for_hours, words.hours) },
          {
            label: words.ends,
            value: <span className="mono">{isActive ? time.dateTime(item.expires_at) : words.ended}</span>,
          },
        ]}
      />
      {dialog === "end" && (
        <EndDialog
          title={words.endTitle}
          text={words.endText}
          confirm={words.endNow}
          cancel={words.cancel}
          onConfirm={() => void end()}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === "extend" && (
        <SuppressDialog
          ruleId={item.rule_id}
          name={item.name}
          criteria={item.criteria}
          onClose={() => setDialog(undefined)}
          onSuppressed={onChanged}
        />
      )}
    </>
  );
}

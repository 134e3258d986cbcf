import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { now } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { EndDialog } from "../../../../app/hide/end-dialog.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../../app/lists/record-list.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { SelectField } from "../../../../design/field.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { Facts } from "../../../../design/panel.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { RuleLink } from "../rule-link.tsx";
import { ExceptionDialog } from "./exception-dialog.tsx";
import { type RuleException, useExceptionsClient } from "./exceptions-client.ts";
import { exceptionsPhrases } from "./exceptions-phrases.ts";

const readKey = (item: RuleException) => item.id;

function useColumns(): ListColumn[] {
  const words = usePhrases(exceptionsPhrases);
  return useMemo(
    () => [
      { key: "query", title: words.query, width: "minmax(180px, 1fr)" },
      { key: "scope", title: words.scope, width: "132px" },
      { key: "hidden", title: words.hidden, width: "72px", align: "end" },
      { key: "by", title: words.by, width: "112px" },
      { key: "ends", title: words.ends, width: "164px" },
    ],
    [words],
  );
}

/** The exceptions of one rule, or all that the user may see. */
export function ExceptionsList({ ruleId }: { ruleId?: string | undefined }) {
  const words = usePhrases(exceptionsPhrases);
  const { number } = useNumbers();
  const time = useTime();
  const { search, change } = useAddress();
  const client = useExceptionsClient();
  const columns = useColumns();
  const isAll = search.ended === "yes";
  const query = { rule_id: ruleId, active: isAll ? undefined : true };
  const pages = useRecordPages<RuleException>("exceptions", query, client.list);
  const { scopes } = words;
  const render = useCallback(
    (item: RuleException) => (
      <>
        <span className="list-title">
          <SafeText isMono>{item.query}</SafeText>
        </span>
        <span className="list-title soft">
          {item.tag === null ? scopes[item.scope] : <SafeText>{`${scopes.tag}: ${item.tag}`}</SafeText>}
        </span>
        <span>{number(item.hidden)}</span>
        <span className="list-title soft">
          <SafeText>{item.created_by}</SafeText>
        </span>
        <span className="list-mono">{item.approval_id ? words.waits : time.dateTime(item.expires_at)}</span>
      </>
    ),
    [scopes, number, time, words],
  );
  return (
    <>
      <div className="rules-line">
        <SelectField
          label={words.view}
          isLabelHidden
          value={isAll ? "yes" : ""}
          onChange={(ended) => change({ ended })}
          options={[
            { value: "", label: words.active },
            { value: "yes", label: words.all },
          ]}
        />
        <NewException ruleId={ruleId} onCreated={pages.reload} />
      </div>
      <RecordList
        label={words.exceptions}
        noun="exceptions"
        events="exception."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(item) => safeText(item.query)}
        renderPane={(item) => <ExceptionPane key={item.id} item={item} onChanged={pages.reload} />}
        empty={<EmptyState title={words.none} text={words.noneText} />}
      />
    </>
  );
}

function NewException({ ruleId, onCreated }: { ruleId: string | undefined; onCreated: () => void }) {
  const words = usePhrases(exceptionsPhrases);
  const { mayWrite, reason } = useChanges();
  const maySearch = useMay("siem:search");
  const [isOpen, setIsOpen] = useState(false);
  if (!mayWrite || !maySearch) return null;
  return (
    <>
      <Button disabled={reason !== undefined} title={reason} onClick={() => setIsOpen(true)}>
        {words.newOne}
      </Button>
      {isOpen && <ExceptionDialog ruleId={ruleId} onClose={() => setIsOpen(false)} onCreated={onCreated} />}
    </>
  );
}

function ExceptionPane({ item, onChanged }: { item: RuleException; onChanged: () => void }) {
  const words = usePhrases(exceptionsPhrases);
  const { number } = useNumbers();
  const time = useTime();
  const client = useExceptionsClient();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const [isEnding, setIsEnding] = useState(false);
  const isActive = Date.parse(item.expires_at) > now().getTime();
  const end = async () => {
    if (!(await send(() => client.end(item.id), { before: item }))) return;
    notify({ tone: "ok", text: words.endedNotice });
    onChanged();
  };
  return (
    <>
      <h2 className="rules-pane-title">{words.query}</h2>
      <pre className="rules-query" dir="ltr">
        <SafeText isMono>{item.query}</SafeText>
      </pre>
      {mayWrite && isActive && (
        <p className="rules-line">
          <Button size="s" disabled={reason !== undefined} title={reason} onClick={() => setIsEnding(true)}>
            {words.endNow}
          </Button>
        </p>
      )}
      <Facts
        items={[
          { label: words.scope, value: words.scopes[item.scope] },
          { label: words.rule, value: item.rule_id && <RuleLink rule={{ id: item.rule_id }} /> },
          { label: words.tag, value: item.tag && <SafeText>{item.tag}</SafeText> },
          { label: words.reason, value: <SafeText>{item.reason}</SafeText> },
          { label: words.hidden, value: number(item.hidden) },
          {
            label: words.lastHidden,
            value: item.last_hidden_at && <span className="mono">{time.dateTime(item.last_hidden_at)}</span>,
          },
          { label: words.by, value: <SafeText>{item.created_by}</SafeText> },
          { label: words.created, value: <span className="mono">{time.dateTime(item.created_at)}</span> },
          {
            label: words.ends,
            value: item.approval_id ? (
              words.waits
            ) : (
              <span className="mono">{isActive ? time.dateTime(item.expires_at) : words.ended}</span>
            ),
          },
        ]}
      />
      {isEnding && (
        <EndDialog
          title={words.endTitle}
          text={words.endText}
          confirm={words.endNow}
          cancel={words.cancel}
          onConfirm={() => void end()}
          onClose={() => setIsEnding(false)}
        />
      )}
    </>
  );
}

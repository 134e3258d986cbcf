import { useCallback, useMemo, useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../../app/lists/record-list.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { SelectField, TextArea } from "../../../../design/field.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { Facts } from "../../../../design/panel.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type Rule, type RuleFeedback, useRulesClient, type Verdict } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { rulePhrases } from "./rule-phrases.ts";

const VERDICTS: readonly Verdict[] = ["true_positive", "false_positive", "needs_tuning"];
const readKey = (item: RuleFeedback) => item.id;

/** Verdicts on the rule's alerts, and feedback on the rule. */
export function FeedbackTab({ rule }: { rule: Rule }) {
  const words = usePhrases(rulePhrases);
  const time = useTime();
  const { search, change } = useAddress();
  const client = useRulesClient();
  const verdict = VERDICTS.find((each) => each === search.verdict);
  const pages = useRecordPages<RuleFeedback>(`feedback ${rule.id}`, { verdict }, (query, signal) =>
    client.feedback(rule.id, query, signal),
  );
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "at", title: words.at, width: "172px" },
      { key: "verdict", title: words.verdict, width: "112px" },
      { key: "by", title: words.by, width: "132px" },
      { key: "notes", title: words.notes, width: "minmax(140px, 1fr)" },
    ],
    [words],
  );
  const { verdicts } = words;
  const render = useCallback(
    (item: RuleFeedback) => (
      <>
        <span className="list-mono">{time.dateTime(item.created_at)}</span>
        <span>{verdicts[item.verdict]}</span>
        <span className="list-title soft">
          <SafeText>{item.created_by}</SafeText>
        </span>
        <span className="list-title">
          <SafeText>{item.notes}</SafeText>
        </span>
      </>
    ),
    [time, verdicts],
  );
  return (
    <>
      <div className="rules-line">
        <SelectField
          label={words.verdict}
          isLabelHidden
          value={verdict ?? ""}
          onChange={(value) => change({ verdict: value })}
          options={[
            { value: "", label: words.anyVerdict },
            ...VERDICTS.map((value) => ({ value: value as string, label: verdicts[value] })),
          ]}
        />
        <GiveVerdict rule={rule} onGiven={pages.reload} />
      </div>
      <RecordList
        label={words.tabs.feedback}
        noun="feedback"
        events="feedback."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(item) => verdicts[item.verdict]}
        renderPane={(item) => <FeedbackPane item={item} />}
        empty={<EmptyState title={words.noFeedback} text={words.noFeedbackText} />}
        onClearFilter={verdict ? () => change({ verdict: "" }) : undefined}
      />
    </>
  );
}

function FeedbackPane({ item }: { item: RuleFeedback }) {
  const words = usePhrases(rulePhrases);
  const time = useTime();
  const link = (to: string, id: string | null) =>
    id !== null && (
      <Link to={`${to}/${id}`}>
        <SafeText isMono>{id}</SafeText>
      </Link>
    );
  return (
    <Facts
      items={[
        { label: words.verdict, value: words.verdicts[item.verdict] },
        { label: words.by, value: <SafeText>{item.created_by}</SafeText> },
        { label: words.at, value: <span className="mono">{time.dateTime(item.created_at)}</span> },
        { label: words.raised, value: link("/alerts", item.alert_id) },
        { label: words.logs, value: link("/hunt/log", item.siem_log_id) },
        { label: words.notes, value: <SafeText>{item.notes}</SafeText> },
      ]}
    />
  );
}

function GiveVerdict({ rule, onGiven }: { rule: Rule; onGiven: () => void }) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(rulePhrases) };
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const client = useRulesClient();
  const [isOpen, setIsOpen] = useState(false);
  const [verdict, setVerdict] = useState<Verdict>("needs_tuning");
  const [notes, setNotes] = useState("");
  if (!mayWrite) return null;
  const give = async () => {
    const given = await send(() => client.giveFeedback(rule.id, { verdict, notes }));
    setIsOpen(false);
    if (!given) return;
    setNotes("");
    notify({ tone: "ok", text: words.sent });
    onGiven();
  };
  return (
    <>
      <Button disabled={reason !== undefined} title={reason} onClick={() => setIsOpen(true)}>
        {words.give}
      </Button>
      <Dialog
        title={words.give}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        width="s"
        actions={
          <Button kind="primary" onClick={() => void give()}>
            {words.send}
          </Button>
        }
      >
        <div className="rules-form">
          <SelectField
            label={words.verdict}
            value={verdict}
            onChange={setVerdict}
            options={VERDICTS.map((value) => ({ value, label: words.verdicts[value] }))}
          />
          <TextArea
            label={words.notes}
            rows={3}
            maxLength={5000}
            value={notes}
            onChange={(event) => setNotes(event.target.value)}
          />
        </div>
      </Dialog>
    </>
  );
}

import { useCallback, useMemo, useState } from "react";
import { useMainCommand } from "../../../../app/changes/use-main-command.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../../app/lists/record-list.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { StatusDot } from "../../../../design/severity.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { AutomationDialog } from "./automation-dialog.tsx";
import { AutomationPane } from "./automation-pane.tsx";
import { type Automation, useAutomationsClient } from "./automations-client.ts";
import { automationsPhrases } from "./automations-phrases.ts";
import "./automations.css";

const readKey = (automation: Automation) => automation.id;

/** All automations, or those of one playbook. Needs a ChangesProvider. */
export function AutomationsPart({ playbookId }: { playbookId?: string | undefined }) {
  const words = usePhrases(automationsPhrases);
  const client = useAutomationsClient();
  const [edited, setEdited] = useState<Automation | "new">();
  const pages = useRecordPages<Automation>(
    "automations",
    { about: playbookId },
    async ({ about, ...query }, signal) => {
      const page = await client.list(query, signal);
      if (about === undefined) return page;
      // The service has no such filter: select the automations of the playbook here.
      const items = page.items.filter(({ playbook_id }) => playbook_id === about);
      return { ...page, items, total: page.next_cursor ? page.total : items.length };
    },
  );
  const create = useMainCommand({
    kind: "plain",
    id: "automations.new",
    label: words.create,
    group: words.automations,
    run: () => setEdited("new"),
  });
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "name", title: words.name, width: "minmax(120px, 1fr)" },
      { key: "state", title: words.state, width: "96px" },
      { key: "condition", title: words.condition, width: "minmax(0, 2fr)" },
      ...(playbookId === undefined ? [{ key: "playbook", title: words.playbook, width: "minmax(0, 160px)" }] : []),
      { key: "cooldown", title: words.pause, width: "minmax(0, 130px)" },
      { key: "fired", title: words.fired, width: "88px", align: "end" as const },
      { key: "last", title: words.lastFired, width: "164px" },
    ],
    [words, playbookId],
  );
  const cells = useCells(playbookId === undefined);
  return (
    <>
      {create && <div className="automations-bar">{create}</div>}
      <RecordList
        label={words.automations}
        noun="automations"
        events="automation."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={cells}
        rowName={(automation) => safeText(automation.name)}
        renderPane={(automation) => (
          <AutomationPane
            automation={automation}
            key={automation.id}
            onEdit={() => setEdited(automation)}
            onChanged={pages.reload}
          />
        )}
        empty={<EmptyState title={words.none} text={words.noneText} />}
      />
      {edited && (
        <AutomationDialog
          automation={edited === "new" ? undefined : edited}
          playbookId={playbookId}
          onClose={() => setEdited(undefined)}
          onSaved={pages.reload}
        />
      )}
    </>
  );
}

function useCells(hasPlaybook: boolean) {
  const words = usePhrases(automationsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  return useCallback(
    (automation: Automation) => {
      const { cooldown_minutes: minutes, enabled } = automation;
      return [
        <span key="name" className="list-title list-strong">
          <SafeText>{automation.name}</SafeText>
        </span>,
        <span key="state" className={enabled ? "run-sign" : "run-sign soft"}>
          <StatusDot shape={enabled ? "full" : "ring"} tone={enabled ? "ok" : "plain"} />
          {enabled ? words.enabled : words.disabled}
        </span>,
        <span key="condition" className="list-title list-mono">
          <SafeText isMono>{automation.condition}</SafeText>
        </span>,
        ...(hasPlaybook
          ? [
              <span key="playbook" className="list-title list-mono">
                <SafeText isMono>{automation.playbook_id}</SafeText>
              </span>,
            ]
          : []),
        <span key="cooldown" className="list-title soft">
          {minutes === 0 ? words.noCooldown : numbers.count(minutes, words.cooldownMinutes)}
        </span>,
        <span key="fired" className="list-mono">
          {automation.fired_24h}
        </span>,
        <span key="last" className="list-mono">
          {automation.last_fired_at ? time.dateTime(automation.last_fired_at) : words.never}
        </span>,
      ];
    },
    [words, numbers, time, hasPlaybook],
  );
}

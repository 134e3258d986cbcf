import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../app/changes/use-main-command.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { Page } from "../../../app/page/page.tsx";
import type { Playbook } from "../../../app/playbooks/playbooks-client.ts";
import { useActions } from "../../../app/playbooks/use-actions.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { SelectField } from "../../../design/field.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { AutomationsPart } from "./automations/automations-part.tsx";
import { NewPlaybookDialog } from "./new-playbook-dialog.tsx";
import { PlaybookCells, PlaybookPane } from "./playbook-row.tsx";
import { playbooksPhrases } from "./playbooks-phrases.ts";
import { usePlaybooksClient } from "./use-playbook.ts";
import "./playbooks.css";

const AUTOMATIONS = "automations";

export const PlaybooksPage = withChanges("soar:manage", Playbooks);

function Playbooks() {
  const words = usePhrases(playbooksPhrases);
  const { search, change } = useAddress();
  const [isCreating, setIsCreating] = useState(false);
  const isAutomations = search.tab === AUTOMATIONS;
  const show = (tab: string | undefined) => change({ tab, pane: undefined }, { isStep: true });
  const tools = useMainCommand({
    id: "playbooks.new",
    label: words.newPlaybook,
    group: words.playbooks,
    run: () => setIsCreating(true),
    isOffered: !isAutomations,
  });
  return (
    <Page
      title={words.playbooks}
      isFull
      tabs={
        <TabLinks
          label={words.views}
          items={[
            { label: words.playbooks, isCurrent: !isAutomations, onSelect: () => show(undefined) },
            { label: words.tabs.automations, isCurrent: isAutomations, onSelect: () => show(AUTOMATIONS) },
          ]}
        />
      }
      tools={tools}
    >
      {isAutomations ? <AutomationsPart /> : <PlaybooksList />}
      {isCreating && <NewPlaybookDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

const readKey = (playbook: Playbook) => playbook.id;
const toFlag = (text: string | undefined) => (text === undefined ? undefined : text === "yes");

function PlaybooksList() {
  const words = usePhrases(playbooksPhrases);
  const time = useTime();
  const actions = useActions();
  const client = usePlaybooksClient();
  const { search, change, go } = useAddress();
  const query = { enabled: toFlag(search.enabled), critical: toFlag(search.critical) };
  const pages = useRecordPages<Playbook>("playbooks", query, client.list);
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "name", title: words.name, width: "minmax(140px, 1fr)" },
      { key: "enabled", title: words.state, width: "96px" },
      { key: "gate", title: words.gate, width: "minmax(0, 200px)" },
      { key: "steps", title: words.stepCount, width: "56px", align: "end" },
      { key: "leaves", title: words.leaving, width: "minmax(0, 180px)" },
      { key: "version", title: words.version, width: "64px", align: "end" },
      { key: "by", title: words.changedBy, width: "112px" },
      { key: "at", title: words.changed, width: "164px" },
    ],
    [words],
  );
  const render = useCallback(
    (playbook: Playbook) => (
      <PlaybookCells playbook={playbook} actions={actions} updated={time.dateTime(playbook.updated_at)} />
    ),
    [actions, time],
  );
  const flags = [
    { value: "", label: words.any },
    { value: "yes", label: words.yes },
    { value: "no", label: words.no },
  ];
  const options = (name: "enabled" | "critical") =>
    flags.map(({ value, label }) => ({ value, label: `${words.filters[name]}: ${label}` }));
  return (
    <>
      <div className="playbooks-filter">
        {(["enabled", "critical"] as const).map((name) => (
          <SelectField
            key={name}
            label={words.filters[name]}
            isLabelHidden
            value={search[name] ?? ""}
            onChange={(value) => change({ [name]: value })}
            options={options(name)}
          />
        ))}
      </div>
      <RecordList
        label={words.playbooks}
        noun="playbooks"
        events="playbook."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(playbook) => safeText(playbook.name)}
        onOpen={(id) => go(`/playbooks/${id}`)}
        renderPane={(playbook) => <PlaybookPane playbook={playbook} />}
        empty={<EmptyState title={words.none} text={words.noneText} />}
        onClearFilter={
          search.enabled !== undefined || search.critical !== undefined
            ? () => change({ enabled: undefined, critical: undefined })
            : undefined
        }
      />
    </>
  );
}

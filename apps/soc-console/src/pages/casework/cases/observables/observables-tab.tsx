import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useListKeys } from "../../../../app/lists/use-list-keys.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { useStatusText } from "../../../../app/status/status.tsx";
import { copyText } from "../../../../app/text/copy.ts";
import { defang } from "../../../../app/text/defang.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { WindowList } from "../../../../design/list/window-list.tsx";
import { Split } from "../../../../design/split.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type CasePage, type Observable, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { useItemPages } from "../use-item-pages.ts";
import { ObservableDialog } from "./observable-dialog.tsx";
import { toHuntQuery } from "./observable-kind.ts";
import { ObservablePane } from "./observable-pane.tsx";
import { observablesPhrases } from "./observables-phrases.ts";

const readKey = (observable: Observable) => observable.id;

export function ObservablesTab({ page: { case: record } }: { page: CasePage }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(observablesPhrases) };
  const time = useTime();
  const client = useCasesClient();
  const { id } = record;
  const { mayWrite, reason } = useChanges();
  const canChange = mayWrite && reason === undefined && record.merged_into === null;
  const pages = useItemPages<Observable>({
    caseId: id,
    noun: "observable",
    read: (query, signal) => client.observables(id, query, signal),
  });
  const [edited, setEdited] = useState<Observable | "new">();
  const keys = useListKeys(pages, readKey, {
    noun: "observables",
    group: words.observables,
    onOpen: () => canChange && setEdited(keys.current),
    isWithoutSelect: true,
  });
  const { current } = keys;
  const actions = useActions(id, current, pages.reload);
  const guard = { group: words.observables, isEnabled: canChange, reason };
  const withCurrent = { group: words.observables, isEnabled: current !== undefined };
  useCommands([
    ...keys.commands,
    {
      id: "observables.copy",
      label: words.copy,
      keys: ["y"],
      ...withCurrent,
      isInStatusLine: true,
      run: () => actions.copy(false),
    },
    {
      id: "observables.copy-defanged",
      label: words.copyDefanged,
      keys: ["⇧Y"],
      ...withCurrent,
      run: () => actions.copy(true),
    },
    ...(actions.hunt
      ? [{ id: "observables.hunt", label: words.hunt, keys: ["f"], ...withCurrent, run: actions.hunt }]
      : []),
    ...(mayWrite
      ? [
          {
            id: "observables.add",
            label: words.addTitle,
            keys: ["n"],
            ...guard,
            isInStatusLine: true,
            run: () => setEdited("new"),
          },
          { id: "observables.remove", label: words.remove, keys: ["Delete"], ...guard, run: actions.remove },
        ]
      : []),
  ]);
  useStatusText(fill(words.shown, { shown: pages.count, total: pages.total ?? pages.count }));
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "type", title: words.type, width: "80px" },
      { key: "value", title: words.value, width: "minmax(160px, 1fr)" },
      { key: "source", title: words.source, width: "112px" },
      { key: "tags", title: words.tags, width: "112px" },
      { key: "added", title: words.added, width: "164px" },
    ],
    [words.type, words.value, words.source, words.tags, words.added],
  );
  const render = useCallback(
    (observable: Observable) => (
      <>
        <span className="list-title soft">
          <SafeText>{observable.type}</SafeText>
        </span>
        <span className="list-title">
          <SafeText isMono>{defang(observable.value)}</SafeText>
        </span>
        <span className="list-title soft">{observable.source && <SafeText>{observable.source}</SafeText>}</span>
        <span className="list-title soft">
          <SafeText>{observable.tags.join(", ")}</SafeText>
        </span>
        <span className="list-mono">{time.dateTime(observable.created_at)}</span>
      </>
    ),
    [time],
  );
  return (
    <div className="case-list">
      <div className="cases-bar">
        {mayWrite && (
          <Button keys={["N"]} disabled={!canChange} title={reason} onClick={() => setEdited("new")}>
            {words.addTitle}
          </Button>
        )}
        {current && (
          <>
            <Button keys={["Y"]} onClick={() => void actions.copy(false)}>
              {words.copy}
            </Button>
            <Button keys={["⇧", "Y"]} onClick={() => void actions.copy(true)}>
              {words.copyDefanged}
            </Button>
            {actions.hunt && (
              <Button keys={["F"]} onClick={actions.hunt}>
                {words.hunt}
              </Button>
            )}
            {canChange && (
              <>
                <Button onClick={() => setEdited(current)}>{words.edit}</Button>
                <Button kind="danger" onClick={() => void actions.remove()}>
                  {words.remove}
                </Button>
              </>
            )}
          </>
        )}
      </div>
      {pages.error !== undefined && pages.count === 0 ? (
        <FailedPart error={pages.error} onRetry={pages.reload} />
      ) : (
        <Split
          paneLabel={words.whereSeen}
          paneWidth={340}
          pane={current && <ObservablePane key={current.id} observable={current} onClose={keys.leave} />}
          main={
            <WindowList
              label={words.observables}
              columns={columns}
              pages={pages}
              rowKey={readKey}
              renderRow={render}
              {...keys.list}
              onOpen={() => canChange && setEdited(current)}
              empty={<EmptyState title={words.empty} text={canChange ? words.emptyText : undefined} />}
            />
          }
        />
      )}
      {edited && (
        <ObservableDialog
          caseId={id}
          observable={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={pages.reload}
        />
      )}
    </div>
  );
}

/** Commands on the observable under the cursor. */
function useActions(caseId: string, current: Observable | undefined, onChanged: () => void) {
  const words = usePhrases(observablesPhrases);
  const client = useCasesClient();
  const { go } = useAddress();
  const { send } = useChanges();
  const { notify } = useNotices();
  const maySearch = useMay("siem:search");
  return {
    async copy(isDefanged: boolean) {
      if (!current) return;
      await copyText(isDefanged ? defang(current.value) : current.value);
      notify({ tone: "ok", text: words.copied, forMs: 2000 });
    },
    hunt: maySearch ? () => current && go("/hunt", { q: toHuntQuery(current.type, current.value) }) : undefined,
    remove: async () => {
      if (current && (await send(() => client.removeObservable(caseId, current.id)))) onChanged();
    },
  };
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useLive } from "../../../../app/context/app-context.ts";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, useLanguage, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { NewsPill } from "../../../../app/lists/news-pill.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { formatQuery } from "../../../../app/server/server.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Avatar } from "../../../../design/avatar.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { Skeleton, Stale } from "../../../../design/states.tsx";
import { caseName } from "../case-link.tsx";
import { CaseDue, CaseStatusSign } from "../case-signs.tsx";
import { CASE_STATUSES, type Case, caseKeys, useCasesClient } from "../cases-client.ts";
import { type CasesFilter, matchesSla, parseFilter, toQuery } from "../cases-filter.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { useCaseEdit } from "../dialogs/use-case-edit.tsx";
import { listPhrases } from "../list-phrases.ts";
import { type Column, findCard, moveInColumn, moveToColumn, nextStatus, placeCard } from "./board.ts";

const MAX_CARDS = 50;

function useColumns(filter: CasesFilter) {
  const client = useCasesClient();
  const queries = useQueryClient();
  const key = caseKeys.board(JSON.stringify(filter));
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Column[]> => {
      const asked = CASE_STATUSES.map((status) =>
        formatQuery({ ...toQuery({ ...filter, status: [status] }), limit: MAX_CARDS }).slice(1),
      );
      const lists = await client.board(asked, signal);
      return CASE_STATUSES.map((status, at) => {
        const { items, total } = lists[at] ?? { items: [], total: 0 };
        return { status, items: items.filter((item) => matchesSla(filter, item)), total };
      });
    },
    placeholderData: (before) => before,
  });
  const place = (changed: Case) =>
    queries.setQueryData<Column[]>(key, (before) => before && placeCard(before, changed));
  return { ...query, place };
}

export function CasesBoard() {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const { direction } = useLanguage();
  const { search, go, change } = useAddress();
  const { mayWrite, reason } = useChanges();
  const { notify } = useNotices();
  const filter = parseFilter(search);
  const { data: columns = [], isPending, isPlaceholderData, error, refetch, place } = useColumns(filter);
  const edit = useCaseEdit();
  const cursor = search.pane;
  const board = useRef<HTMLDivElement>(null);
  const [isDirty, setIsDirty] = useState(false);
  useLive({
    onEvents: (events) => setIsDirty((before) => before || events.some(({ type }) => type.startsWith("case."))),
    onReset: () => void refetch(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when the cursor changes.
  useEffect(() => {
    board.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [cursor]);

  const at = findCard(columns, cursor);
  const card = at && columns[at.column]?.items[at.row];
  const moveCard = async (by: 1 | -1) => {
    const status = card && nextStatus(card.status, by);
    if (!card || !status) return;
    const changed = await edit.change(card, { status });
    if (!changed) return;
    place(changed);
    notify({ tone: "ok", text: fill(words.moved, { status: words.statuses[status] }), forMs: 3000 });
  };
  const point = (id: string | undefined) => id !== undefined && change({ pane: id });
  const forward = direction === "rtl" ? -1 : 1;
  const backward = direction === "rtl" ? 1 : -1;
  const command = (id: string, label: string, keys: string[], run: () => unknown, rest: Partial<Command> = {}) => ({
    id: `cases.${id}`,
    label,
    group: words.cases,
    keys,
    run: () => void run(),
    isHidden: true,
    isRepeatable: true,
    ...rest,
  });
  const canMove = { isRepeatable: false, isEnabled: reason === undefined, reason, isInStatusLine: true };
  useCommands([
    command("down", words.move, ["j", "ArrowDown"], () => point(moveInColumn(columns, cursor, 1)), {
      isInStatusLine: true,
    }),
    command("up", words.up, ["k", "ArrowUp"], () => point(moveInColumn(columns, cursor, -1))),
    command("right", words.column, ["ArrowRight"], () => point(moveToColumn(columns, cursor, forward))),
    command("left", words.columnBefore, ["ArrowLeft"], () => point(moveToColumn(columns, cursor, backward))),
    command("open", words.open, ["Enter", "o"], () => cursor && go(`/cases/${cursor}`), { isInStatusLine: true }),
    command("news", words.showNews, ["."], () => {
      setIsDirty(false);
      return refetch();
    }),
    ...(mayWrite
      ? [
          command("previous", words.previous, ["h"], () => moveCard(-1), canMove),
          command("next", words.next, ["l"], () => moveCard(1), canMove),
        ]
      : []),
  ]);
  if (error && columns.length === 0) return <FailedPart error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton rows={8} />;
  return (
    <>
      {isDirty && (
        <NewsPill
          onShow={() => {
            setIsDirty(false);
            void refetch();
          }}
        >
          {words.showNews} · .
        </NewsPill>
      )}
      <Stale isStale={isPlaceholderData}>
        <div ref={board} className="cases-board">
          {columns.map((column) => (
            <BoardColumn
              key={column.status}
              column={column}
              cursor={cursor}
              onPoint={point}
              onOpen={(id) => go(`/cases/${id}`)}
            />
          ))}
        </div>
      </Stale>
      {edit.dialogs}
    </>
  );
}

interface BoardColumnProps {
  column: Column;
  cursor: string | undefined;
  onPoint: (id: string) => void;
  onOpen: (id: string) => void;
}

function BoardColumn({ column: { status, items, total }, cursor, onPoint, onOpen }: BoardColumnProps) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const numbers = useNumbers();
  return (
    <section className="cases-column" aria-label={`${words.statuses[status]}: ${numbers.count(total, words.cards)}`}>
      <h2 className="cases-column-head">
        <CaseStatusSign status={status} />
        <span className="cases-count">{numbers.number(total)}</span>
      </h2>
      <ul className="cases-cards">
        {items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              className="cases-card"
              aria-current={item.id === cursor}
              onClick={() => onPoint(item.id)}
              onFocus={() => item.id !== cursor && onPoint(item.id)}
              onDoubleClick={() => onOpen(item.id)}
            >
              <span className="cases-card-title">
                <SeveritySign severity={item.severity} label={words.severities[item.severity]} />
                <SafeText>{item.title}</SafeText>
              </span>
              <span className="cases-card-foot">
                <bdi className="mono soft" dir="ltr">
                  {caseName(item.id)}
                </bdi>
                <CaseDue record={item} />
                {item.assignee && <Avatar name={item.assignee} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {total > items.length && items.length > 0 && (
        <p className="cases-more">{fill(words.more, { count: total - items.length })}</p>
      )}
    </section>
  );
}

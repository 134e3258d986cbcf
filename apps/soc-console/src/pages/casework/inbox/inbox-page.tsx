import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommand, useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { Page } from "../../../app/page/page.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { useStatusText } from "../../../app/status/status.tsx";
import { Button } from "../../../design/button.tsx";
import { Checkbox } from "../../../design/field.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { COUNT_KEY, type InboxFilter, type InboxItem, type InboxKind, readInboxCount } from "./inbox-client.ts";
import { inboxPhrases } from "./inbox-phrases.ts";
import { InboxRow } from "./inbox-row.tsx";
import { subjectPath } from "./inbox-rows.ts";
import { type InboxReading, useInbox, useMarkRead } from "./use-inbox.ts";
import "./inbox.css";

const KINDS: readonly InboxKind[] = ["assigned", "mentioned", "waiting", "decided", "failed", "due", "sign_in"];

function KindTabs({ filter }: { filter: InboxFilter }) {
  const words = usePhrases(inboxPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { change } = useAddress();
  const { data } = useQuery({ queryKey: COUNT_KEY, queryFn: ({ signal }) => readInboxCount(server, signal) });
  const spell = (count: number | undefined) => (count ? numbers.number(count) : undefined);
  const choose = (kind: InboxKind | undefined) => () => change({ kind }, { isStep: true });
  return (
    <TabLinks
      label={words.views}
      items={[
        {
          label: words.all,
          count: spell(data?.unread),
          isCurrent: filter.kind === undefined,
          onSelect: choose(undefined),
        },
        ...KINDS.map((kind) => ({
          label: words.kinds[kind],
          count: spell(data?.by_kind?.[kind]),
          isCurrent: filter.kind === kind,
          onSelect: choose(kind),
        })),
      ]}
    />
  );
}

interface InboxCommandsProps {
  reading: InboxReading;
  cursor: string | undefined;
  setCursor: (id: string) => void;
  open: (item: InboxItem) => void;
}

function useInboxCommands({ reading, cursor, setCursor, open }: InboxCommandsProps): void {
  const words = usePhrases(inboxPhrases);
  const { go } = useAddress();
  const mark = useMarkRead();
  const isFixed = useMode() === "dummy";
  const { rows, news, showNews } = reading;
  useCommands(
    useMemo<readonly Command[]>(() => {
      const at = rows.findIndex(({ id }) => id === cursor);
      const current = rows[at];
      const move = (by: number) => {
        const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
        if (!next) return;
        setCursor(next.id);
        document.querySelector(`[data-item="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: "nearest" });
      };
      const moving = { group: words.group, isHidden: true, isRepeatable: true, isInStatusLine: true };
      const marking = {
        group: words.group,
        isEnabled: !isFixed,
        reason: isFixed ? words.dummy : undefined,
        isInStatusLine: true,
      };
      return [
        { ...moving, id: "inbox.next", label: words.next, keys: ["j", "ArrowDown"], run: () => move(1) },
        { ...moving, id: "inbox.previous", label: words.previous, keys: ["k", "ArrowUp"], run: () => move(-1) },
        {
          ...marking,
          id: "inbox.read",
          label: words.markRead,
          keys: ["e"],
          run: async () => {
            if (!current) return;
            move(1);
            if (current.read_at === null) await mark({ ids: [current.id] });
          },
        },
        { ...marking, id: "inbox.read-all", label: words.markAll, keys: ["⇧E"], run: () => mark({ all: true }) },
        {
          id: "inbox.open",
          label: words.open,
          group: words.group,
          keys: ["Enter"],
          isHidden: true,
          isInStatusLine: true,
          run: () => {
            if (!current) return;
            open(current);
            go(subjectPath(current));
          },
        },
        ...(news > 0
          ? [{ id: "inbox.news", label: words.showNews, group: words.group, keys: ["."], run: showNews }]
          : []),
      ];
    }, [words, rows, cursor, news, isFixed, mark, open, go, setCursor, showNews]),
  );
}

function Nothing({ filter }: { filter: InboxFilter }) {
  const words = usePhrases(inboxPhrases);
  const { change } = useAddress();
  if (filter.kind === undefined && !filter.isUnread) return <EmptyState title={words.empty} text={words.emptyText} />;
  return (
    <EmptyState
      title={filter.isUnread ? words.emptyUnread : words.emptyKind}
      action={<Button onClick={() => change({ kind: undefined, unread: undefined })}>{words.showAll}</Button>}
    />
  );
}

function InboxList({ filter }: { filter: InboxFilter }) {
  const words = usePhrases(inboxPhrases);
  const numbers = useNumbers();
  const isFixed = useMode() === "dummy";
  const reading = useInbox(filter);
  const mark = useMarkRead();
  const [cursor, setCursor] = useState<string>();
  const { rows, news, total, hasMore, isFirst, error } = reading;
  const shownCursor = cursor ?? rows[0]?.id;
  /** Opening an item marks it as read. */
  const open = useCallback(
    (item: InboxItem) => {
      if (item.read_at === null && !isFixed) void mark({ ids: [item.id] }, true);
    },
    [mark, isFixed],
  );
  useInboxCommands({ reading, cursor: shownCursor, setCursor, open });
  useStatusText(total === 0 ? "" : fill(words.shown, { shown: rows.length, total }));
  if (error instanceof ApiError && rows.length === 0)
    return (
      <ErrorState
        title={words.failed}
        text={error.message}
        requestId={error.requestId}
        retryLabel={words.retry}
        onRetry={reading.readAgain}
      />
    );
  if (isFirst) return <Skeleton rows={8} />;
  if (rows.length === 0) return <Nothing filter={filter} />;
  return (
    <div className="inbox">
      {news > 0 && (
        <Button kind="primary" size="s" className="inbox-news" keys={["."]} onClick={reading.showNews}>
          {numbers.count(news, words.news)}
        </Button>
      )}
      <ul className="inbox-list" aria-label={words.list}>
        {rows.map((item) => (
          <InboxRow key={item.id} item={item} isCursor={item.id === shownCursor} onOpen={open} />
        ))}
      </ul>
      {hasMore && (
        <div className="inbox-more">
          <Button onClick={reading.readMore}>{words.more}</Button>
        </div>
      )}
    </div>
  );
}

function MarkAll() {
  const command = useCommand("inbox.read-all");
  if (!command) return null;
  return <CommandButton command={command} />;
}

/** Notifications about what other users did. */
export function InboxPage() {
  const words = usePhrases(inboxPhrases);
  const { search, change } = useAddress();
  const kind = KINDS.find((each) => each === search.kind);
  const isUnread = search.unread === "true";
  const filter = useMemo(() => ({ kind, isUnread }), [kind, isUnread]);
  return (
    <Page
      title={words.title}
      tabs={<KindTabs filter={filter} />}
      tools={
        <>
          <Checkbox
            label={words.onlyUnread}
            checked={isUnread}
            onChange={(isWanted) => change({ unread: isWanted ? "true" : undefined })}
          />
          <MarkAll />
        </>
      }
      isFull
    >
      <InboxList key={`${kind} ${isUnread}`} filter={filter} />
    </Page>
  );
}

import { FileCheck2 } from "lucide-react";
import { Fragment, memo, useEffect, useRef, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { after } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useLive } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { NewsPill } from "../../../../app/lists/news-pill.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { Markdown } from "../../../../app/text/markdown.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Avatar } from "../../../../design/avatar.tsx";
import { Button } from "../../../../design/button.tsx";
import { Chip } from "../../../../design/chip.tsx";
import { type ReadListPages, useListPages } from "../../../../design/list/use-list-pages.ts";
import { EmptyState, Skeleton, Stale } from "../../../../design/states.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { casePhrases } from "../case-phrases.ts";
import { type CasePage, type Comment, type TimelineEntry, useCasesClient } from "../cases-client.ts";
import { namesCase } from "../use-case-page.ts";
import { CommentBox } from "./comment-box.tsx";
import { buildStory, isMachine, readTime, STORY_KINDS, type StoryEntry, type StoryItem } from "./story.ts";
import { timelinePhrases } from "./timeline-phrases.ts";

const PAGE_ROWS = 100;
const TOP_PX = 8;
const GATHER_MS = 400;

function readRows<Item>(pages: ReadListPages<Item>): Item[] {
  return Array.from({ length: pages.count }, (_, index) => pages.rowAt(index)).filter((row) => row !== undefined);
}

/** Loads entries and comments page by page. Comments load while the entries reach further back. */
function useStory(id: string) {
  const client = useCasesClient();
  const entries = useListPages<TimelineEntry>(`timeline ${id}`, async (cursor, signal) => {
    const page = await client.timeline(id, { limit: PAGE_ROWS, cursor }, signal);
    return { rows: page.items, next: page.next_cursor ?? undefined, total: page.total };
  });
  const comments = useListPages<Comment>(`comments ${id}`, async (cursor, signal) => {
    const page = await client.comments(id, { limit: PAGE_ROWS, cursor }, signal);
    return { rows: page.items, next: page.next_cursor ?? undefined, total: page.total };
  });
  const oldestEntry = entries.hasMore ? (entries.rowAt(entries.count - 1)?.timestamp ?? "") : "";
  const oldestComment = comments.rowAt(comments.count - 1)?.created_at ?? "";
  const needsComments =
    comments.hasMore && !comments.isLoading && comments.error === undefined && oldestComment >= oldestEntry;
  useEffect(() => {
    if (needsComments && comments.count > 0) comments.loadMore();
  }, [needsComments, comments]);
  return { entries, comments };
}

export function TimelineTab({ page: { case: record } }: { page: CasePage }) {
  const words = { ...usePhrases(timelinePhrases), ...usePhrases(casePhrases) };
  const { id } = record;
  const time = useTime();
  const { search, change } = useAddress();
  const { mayWrite } = useChanges();
  const { entries, comments } = useStory(id);
  const scroller = useRef<HTMLDivElement>(null);
  const [hasNews, setHasNews] = useState(false);
  const kind = STORY_KINDS.find((name) => name === search.kind);
  const { about } = search;
  const waiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => waiting.current?.(), []);
  // A comment of this user also arrives as an event: reload both at once.
  const readAgain = () => {
    waiting.current?.();
    waiting.current = after(GATHER_MS, () => {
      setHasNews(false);
      entries.reload();
      comments.reload();
    });
  };
  const isAtTop = () => (scroller.current?.scrollTop ?? 0) <= TOP_PX;
  useLive({
    onEvents: (events) => {
      if (!events.some((event) => namesCase(event, id))) return;
      // Entries never move while the user reads: new ones appear only while the top is visible.
      if (isAtTop()) readAgain();
      else setHasNews(true);
    },
    onReset: readAgain,
  });
  const showNews = () => {
    scroller.current?.scrollTo({ top: 0 });
    readAgain();
  };
  useCommands([
    { id: "case.news", label: words.news, group: words.caseGroup, keys: ["."], isHidden: true, run: showNews },
  ]);
  const story = buildStory({
    entries: readRows(entries),
    comments: readRows(comments),
    hasOlder: entries.hasMore,
    kind,
    about,
  });
  const failure = entries.error ?? comments.error;
  return (
    <div className="case-story">
      <div className="case-story-bar">
        <TabLinks
          label={words.show}
          items={[
            { label: words.everything, isCurrent: !kind, onSelect: () => change({ kind: undefined }) },
            ...STORY_KINDS.map((name) => ({
              label: words.kinds[name],
              isCurrent: name === kind,
              onSelect: () => change({ kind: name }),
            })),
          ]}
        />
        {about !== undefined && (
          <Chip
            field={words.about}
            value={<SafeText isMono>{about}</SafeText>}
            removeLabel={words.stopAbout}
            onRemove={() => change({ about: undefined })}
          />
        )}
      </div>
      {mayWrite && record.merged_into === null && <CommentBox caseId={id} onSent={readAgain} />}
      {hasNews && <NewsPill onShow={showNews}>{words.news}</NewsPill>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section ref={scroller} className="case-story-scroller" aria-label={words.story} tabIndex={0}>
        {failure !== undefined && story.length === 0 && <FailedPart error={failure} onRetry={readAgain} />}
        {entries.isFirst && failure === undefined && <Skeleton rows={6} />}
        <Stale isStale={entries.isStale && !entries.isFirst}>
          <ol className="case-story-list">
            {story.map((item, index) => {
              const day = time.day(readTime(item));
              const before = story[index - 1];
              return (
                <Fragment key={readItemKey(item)}>
                  {(!before || time.day(readTime(before)) !== day) && <li className="case-day">{day}</li>}
                  <StoryLine item={item} />
                </Fragment>
              );
            })}
          </ol>
        </Stale>
        {!entries.isFirst && story.length === 0 && !entries.hasMore && (
          <EmptyState title={kind || about ? words.nothingAbout : words.nothing} />
        )}
        {entries.hasMore && !entries.isFirst && (
          <Button kind="ghost" isBusy={entries.isLoading} onClick={entries.loadMore}>
            {words.earlier}
          </Button>
        )}
      </section>
    </div>
  );
}

function readItemKey(item: StoryItem): string {
  if (item.type === "comment") return item.comment.id;
  return item.type === "entry" ? item.entry.key : item.key;
}

const StoryLine = memo(
  function StoryLine({ item }: { item: StoryItem }) {
    if (item.type === "comment") return <CommentLine comment={item.comment} />;
    return item.type === "entry" ? <EntryLine entry={item.entry} /> : <RunLine entries={item.entries} />;
  },
  ({ item: a }, { item: b }) =>
    readItemKey(a) === readItemKey(b) &&
    (a.type !== "run" || (b.type === "run" && a.entries.length === b.entries.length)) &&
    (a.type !== "comment" || (b.type === "comment" && a.comment.body === b.comment.body)),
);

function CommentLine({ comment }: { comment: Comment }) {
  const words = usePhrases(timelinePhrases);
  const time = useTime();
  const { go } = useAddress();
  return (
    <li className="case-said">
      <Avatar name={comment.author} />
      <div>
        <p className="case-said-head">
          <strong>
            <SafeText>{comment.author}</SafeText>
          </strong>
          <time className="mono soft" dateTime={comment.created_at} title={time.relative(comment.created_at)}>
            {time.dateTime(comment.created_at)}
          </time>
          {comment.edited_at && <span className="soft">{words.edited}</span>}
        </p>
        <Markdown text={comment.body} onNavigate={go} />
      </div>
    </li>
  );
}

function EntryLine({ entry }: { entry: StoryEntry }) {
  const time = useTime();
  return (
    <li className={isMachine(entry.agent) ? "case-event case-event-machine" : "case-event"}>
      <time className="mono soft" dateTime={entry.timestamp} title={time.dateTime(entry.timestamp)}>
        {time.time(entry.timestamp)}
      </time>
      <span className="case-event-sign" aria-hidden="true">
        {entry.kind === "evidence" && <FileCheck2 />}
      </span>
      <p>
        <span className="case-event-agent">
          <SafeText>{entry.agent}</SafeText>
        </span>{" "}
        <SafeText>{entry.action}</SafeText>
      </p>
    </li>
  );
}

function RunLine({ entries }: { entries: readonly StoryEntry[] }) {
  const words = usePhrases(timelinePhrases);
  const numbers = useNumbers();
  const time = useTime();
  const [newest] = entries;
  return (
    <li className="case-run">
      <details>
        <summary>
          {newest && <span className="mono soft">{time.time(newest.timestamp)}</span>}
          <span>{numbers.count(entries.length, words.machineRun)}</span>
        </summary>
        <ol className="case-story-list">
          {entries.map((entry) => (
            <EntryLine key={entry.key} entry={entry} />
          ))}
        </ol>
      </details>
    </li>
  );
}

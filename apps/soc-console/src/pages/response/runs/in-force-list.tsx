import { useCallback, useMemo, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState } from "../../../design/states.tsx";
import type { InForce } from "./runs-client.ts";
import { runsPhrases } from "./runs-phrases.ts";
import { useRunsClient } from "./use-run.ts";

const readKey = (item: InForce) => item.action_id;

/** Active isolations, each with its expiry and a button that ends it now. */
export function InForceList() {
  const words = usePhrases(runsPhrases);
  const time = useTime();
  const client = useRunsClient();
  const pages = useRecordPages<InForce>("in-force", {}, client.inForce);
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "host", title: words.host, width: "minmax(110px, 1fr)" },
      { key: "action", title: words.action, width: "minmax(0, 96px)" },
      { key: "ends", title: words.ends, width: "minmax(150px, 1fr)" },
      { key: "why", title: words.why, width: "minmax(80px, 2fr)" },
      { key: "by", title: words.by, width: "minmax(0, 120px)" },
      { key: "since", title: words.since, width: "164px" },
      { key: "release", title: words.release, width: "120px", isTitleHidden: true },
    ],
    [words.host, words.action, words.ends, words.why, words.by, words.since, words.release],
  );
  const { actions, noEnd } = words;
  const { reload } = pages;
  const render = useCallback(
    (item: InForce) => (
      <>
        <span className="list-title list-mono">
          <Link to={`/endpoints/${item.endpoint_id}`}>
            <SafeText isMono>{item.hostname}</SafeText>
          </Link>
        </span>
        <span className="list-title">{actions[item.action] ?? item.action}</span>
        <span className="list-title">
          {item.release_at ? `${time.relative(item.release_at)} · ${time.time(item.release_at)}` : noEnd}
        </span>
        <span className="list-title soft">
          <SafeText>{item.reason ?? ""}</SafeText>
        </span>
        <span className="list-title soft">
          <SafeText>{item.requested_by}</SafeText>
        </span>
        <span className="list-mono">{time.dateTime(item.requested_at)}</span>
        <Release item={item} onReleased={reload} />
      </>
    ),
    [actions, noEnd, time, reload],
  );
  return (
    <RecordList
      label={words.inForce}
      noun="in-force"
      events="endpoint."
      columns={columns}
      pages={pages}
      rowKey={readKey}
      renderRow={render}
      rowName={(item) => safeText(item.hostname)}
      empty={<EmptyState title={words.noneInForce} text={words.noneInForceText} />}
    />
  );
}

function Release({ item, onReleased }: { item: InForce; onReleased: () => void }) {
  const words = usePhrases(runsPhrases);
  const mode = useMode();
  const client = useRunsClient();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const [isBusy, setIsBusy] = useState(false);
  if (!mayWrite || item.action !== "isolate") return <span />;
  const release = async () => {
    setIsBusy(true);
    const answer = await send(() => client.release(item.endpoint_id), { before: item });
    setIsBusy(false);
    if (!answer) return;
    const isWaiting = answer.status === "pending_approval";
    const host = isolated(safeText(item.hostname));
    notify({
      tone: isWaiting ? "waiting" : "ok",
      text: fill(isWaiting ? words.releaseWaits : words.released, { host }),
    });
    onReleased();
  };
  return (
    <span>
      <Button size="s" isBusy={isBusy} disabled={reason !== undefined} title={reason} onClick={() => void release()}>
        {mode === "dry_run" ? words.releasePreview : words.release} ↗
      </Button>
    </span>
  );
}

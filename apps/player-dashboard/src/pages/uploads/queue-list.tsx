import { useEffect } from "preact/hooks";
import { errorWords } from "../../app/api/error-words.ts";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { bytesWords } from "../../app/language/bytes.ts";
import { fill } from "../../app/language/translations.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { formatTargetName } from "../../app/uploads/target-name.ts";
import { type QueuedUpload, useUploadQueue } from "../../app/uploads/upload-queue.ts";
import { Button, IconButton } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { Link, Panel, ProgressBar } from "../../design/layout.tsx";
import { uploadsPhrases } from "./uploads-phrases.ts";

/** What this browser is sending, and what it has sent since the page was opened. */
export function QueueList() {
  const { items } = useUploadQueue();
  const phrases = usePhrases(uploadsPhrases);
  const isSending = items.value.some(({ state }) => state === "sending" || state === "waiting" || state === "retrying");
  useAskBeforeLeaving(isSending);
  if (items.value.length === 0) return null;
  return (
    <Panel title={phrases.queue}>
      <ul class="rows queue">
        {items.value.map((item) => (
          <QueueRow key={item.key} item={item} />
        ))}
      </ul>
    </Panel>
  );
}

/** The browser asks before it closes the page; the dashboard's own pages do not interrupt anything. */
function useAskBeforeLeaving(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isSending]);
}

function QueueRow({ item }: { item: QueuedUpload }) {
  const language = useLanguage();
  const name = formatTargetName(item.target, language);
  return (
    <li class={`queued queued-${item.state}`}>
      <span class="queued-sign">
        <Icon name={SIGNS[item.state]} />
      </span>
      <div class="row-words">
        <strong>{name}</strong>
        {item.state !== "done" && item.state !== "refused" && (
          <ProgressBar percent={(100 * item.sentBytes) / item.file.size} label={name} />
        )}
        <span class="row-aside" role="status">
          <StateWords item={item} />
        </span>
        <MoreButtons item={item} />
      </div>
      <EndButtons item={item} name={name} />
    </li>
  );
}

const SIGNS = {
  waiting: "clock",
  sending: "upload",
  retrying: "clock",
  paused: "pause",
  refused: "warning",
  unreadable: "warning",
  done: "check",
} as const;

/** The same file would be refused again. */
const FINAL = new Set(["type_refused", "name_refused"]);

function StateWords({ item: { state, error, sentBytes, file } }: { item: QueuedUpload }) {
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  if (state === "done") return <>{phrases.done}</>;
  if (state === "refused") {
    return <>{phrases.refusals[error?.code ?? ""] ?? (error ? errorWords(error, language) : "")}</>;
  }
  if (state === "sending" && sentBytes === file.size) return <>{phrases.finishing}</>;
  const sent = fill(phrases.sent, {
    sent: bytesWords(sentBytes, language),
    total: bytesWords(file.size, language),
  });
  return <>{state === "sending" ? sent : phrases.states[state]}</>;
}

/** What can be done with a file that is on the card, or that the device refused. */
function MoreButtons({ item: { key, state, error, target, path } }: { item: QueuedUpload }) {
  const queue = useUploadQueue();
  const transport = useTransport();
  const phrases = usePhrases(uploadsPhrases);
  if (state === "refused") {
    if (FINAL.has(error?.code ?? "")) return null;
    const isTaken = error?.code === "file_exists" || error?.code === "upload_exists";
    return (
      <div class="actions">
        {isTaken ? (
          <Button onClick={() => queue.resume(key, { isReplacing: true })}>{phrases.replace}</Button>
        ) : (
          <Button onClick={() => queue.resume(key)}>{phrases.retry}</Button>
        )}
      </div>
    );
  }
  if (state !== "done") return null;
  if (target.kind === "adhan") return <AdhanButtons path={path} />;
  const { reciter = "", surah = 0 } = target;
  return (
    <div class="actions">
      <Button icon="play" onClick={() => void transport.playFile(path, { reciter, surah_number: surah })}>
        {phrases.play}
      </Button>
      <Link to={`/library/${encodeURIComponent(path.split("/")[0] ?? "")}`} class="button button-quiet">
        {phrases.toReciter}
      </Link>
    </div>
  );
}

function AdhanButtons({ path }: { path: string }) {
  const { api, commands, live, notices } = useApp();
  const phrases = usePhrases(uploadsPhrases);
  const adhan = live.prayer.value?.config.adhan;
  const choose = async (field: "path" | "fajr_path", done: string) => {
    const isDone = await commands.run(() => api.post("/prayer/config", { adhan: { [field]: path } }));
    if (isDone) notices.show("done", done);
  };
  return (
    <div class="actions">
      <Button
        icon={adhan?.path === path ? "check" : "prayer"}
        disabled={adhan?.path === path}
        onClick={() => void choose("path", phrases.nowAdhan)}
      >
        {phrases.useAsAdhan}
      </Button>
      <Button
        icon={adhan?.fajr_path === path ? "check" : "prayer"}
        disabled={adhan?.fajr_path === path}
        onClick={() => void choose("fajr_path", phrases.nowFajr)}
      >
        {phrases.useForFajr}
      </Button>
    </div>
  );
}

function EndButtons({ item: { key, state }, name }: { item: QueuedUpload; name: string }) {
  const queue = useUploadQueue();
  const phrases = usePhrases(uploadsPhrases);
  const isUnderWay = state === "sending" || state === "waiting" || state === "retrying";
  const isOver = state === "done";
  return (
    <>
      {isUnderWay && <IconButton icon="pause" label={`${phrases.pause}: ${name}`} onClick={() => queue.pause(key)} />}
      {state === "paused" && (
        <IconButton icon="play" label={`${phrases.resume}: ${name}`} onClick={() => queue.resume(key)} />
      )}
      <IconButton
        icon="close"
        label={`${isOver ? phrases.remove : phrases.cancel}: ${name}`}
        onClick={() => queue.cancel(key)}
      />
    </>
  );
}

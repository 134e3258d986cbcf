import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone, Pencil } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button, IconButton } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { TextField } from "../../../design/field.tsx";
import { Panel } from "../../../design/panel.tsx";
import { ErrorState, Notice, Skeleton } from "../../../design/states.tsx";
import { endOtherSessions, endSession, nameDevice, type OpenSession, readSessions, SESSIONS_KEY } from "./me-client.ts";
import { mePhrases } from "./me-phrases.ts";
import { useAttempt } from "./use-attempt.ts";

interface SessionRowProps {
  session: OpenSession;
  onName: () => void;
  onEnd: () => void;
}

function SessionRow({ session, onName, onEnd }: SessionRowProps) {
  const words = usePhrases(mePhrases);
  const time = useTime();
  const { device, device_name, address, created_at, last_used_at, is_current } = session;
  return (
    <li className="factors-row">
      <span className="factors-icon">
        <MonitorSmartphone size={16} />
      </span>
      <div className="factors-what">
        <p className="factors-name">
          <SafeText>{device_name ?? device}</SafeText>
          {is_current && <Badge tone="ok">{words.thisOne}</Badge>}
        </p>
        <p className="factors-note">
          {device_name !== null && (
            <>
              <SafeText>{device}</SafeText> ·{" "}
            </>
          )}
          {address !== null && (
            <>
              <SafeText isMono>{address}</SafeText> ·{" "}
            </>
          )}
          {fill(words.signedIn, { time: time.day(created_at) })} ·{" "}
          {fill(words.lastUsed, { time: time.relative(last_used_at) })}
        </p>
      </div>
      <IconButton label={`${words.nameDevice}: ${device_name ?? device}`} icon={<Pencil />} onClick={onName} />
      {!is_current && (
        <Button size="s" kind="danger" onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  );
}

function NameDevice({ session, onClose }: { session: OpenSession; onClose: () => void }) {
  const words = usePhrases(mePhrases);
  const { server } = useApp();
  const queries = useQueryClient();
  const [name, setName] = useState(session.device_name ?? "");
  const { isBusy, trouble, run } = useAttempt();
  function save(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(async () => {
      const sessions = await nameDevice(server, session.id, name.trim() || null);
      queries.setQueryData(SESSIONS_KEY, sessions);
      onClose();
    });
  }
  return (
    <Dialog title={words.nameDevice} onClose={onClose} width="s" closeLabel={words.cancel}>
      <form className="factors-step" onSubmit={save}>
        <TextField
          label={words.deviceName}
          hint={words.deviceNameHint}
          error={trouble?.text}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          autoComplete="off"
          dir="auto"
        />
        <div className="factors-ways factors-end">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The user's sessions. */
export function SessionsPanel() {
  const words = usePhrases(mePhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const [named, setNamed] = useState<OpenSession>();
  const { isBusy, trouble, run } = useAttempt();
  const { data, error, refetch } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => readSessions(server, signal),
  });
  const end = (request: () => Promise<number>) =>
    run(async () => {
      notify({ text: numbers.count(await request(), words.ended), tone: "ok" });
      await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
    });
  const endOne = (id: string) =>
    end(async () => {
      await endSession(server, id);
      return 1;
    });
  const hasOthers = data?.items.some(({ is_current }) => !is_current) ?? false;
  return (
    <Panel
      title={words.sessions}
      aside={
        hasOthers && (
          <Button
            size="s"
            kind="danger"
            isBusy={isBusy}
            onClick={() => end(async () => (await endOtherSessions(server)).ended)}
          >
            {words.endOthers}
          </Button>
        )
      }
    >
      <p className="soft">{words.sessionsHint}</p>
      {trouble && <Notice tone="failed">{trouble.text}</Notice>}
      {data ? (
        <ul className="factors-list">
          {data.items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onName={() => setNamed(session)}
              onEnd={() => endOne(session.id)}
            />
          ))}
        </ul>
      ) : error instanceof ApiError ? (
        <ErrorState
          title={words.sessionsFailed}
          text={error.message}
          requestId={error.requestId}
          retryLabel={words.retry}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton rows={2} />
      )}
      {named && <NameDevice session={named} onClose={() => setNamed(undefined)} />}
    </Panel>
  );
}

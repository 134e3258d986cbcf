import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmChange } from "../../../app/changes/confirm-change.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Panel } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { endUserSession, endUserSessions, readUserSessions, sessionsKey, type UserSession } from "./users-client.ts";
import { usersPhrases } from "./users-phrases.ts";

/** The sessions of a user. Ending one is allowed in every mode: it protects the account. */
export function UserSessions({ username }: { username: string }) {
  const words = usePhrases(usersPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: sessionsKey(username),
    queryFn: ({ signal }) => readUserSessions(server, username, signal),
  });
  const finish = async (ended: number | undefined) => {
    if (ended === undefined) return;
    notify({ tone: "ok", text: numbers.count(ended, words.ended) });
    await queries.invalidateQueries({ queryKey: sessionsKey(username) });
  };
  const endOne = async (id: string) => {
    const answer = await send(() => endUserSession(server, username, id));
    await finish(answer && 1);
  };
  const endAll = async () => {
    const answer = await send(() => endUserSessions(server, username));
    setIsAsking(false);
    await finish(answer?.ended);
  };
  const sessions = data?.items ?? [];
  return (
    <Panel
      title={words.sessions}
      aside={
        sessions.length > 1 && (
          <Button size="s" kind="danger" onClick={() => setIsAsking(true)}>
            {words.endAll}
          </Button>
        )
      }
    >
      {!data && (error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={2} />)}
      {data && sessions.length === 0 && <p className="soft">{words.noSessions}</p>}
      <ul className="users-sessions">
        {sessions.map((session) => (
          <SessionLine key={session.id} session={session} onEnd={() => void endOne(session.id)} />
        ))}
      </ul>
      {isAsking && (
        <ConfirmChange
          title={fill(words.endAllTitle, { name: username })}
          label={words.endAll}
          onConfirm={endAll}
          onClose={() => setIsAsking(false)}
        >
          <p>{words.endAllText}</p>
        </ConfirmChange>
      )}
    </Panel>
  );
}

function SessionLine({ session, onEnd }: { session: UserSession; onEnd: () => void }) {
  const words = usePhrases(usersPhrases);
  const time = useTime();
  const { device, device_name, address, created_at, last_used_at, is_current } = session;
  return (
    <li className="users-session">
      <div>
        <p className="users-device">
          <SafeText>{device_name ?? device}</SafeText>
          {address !== null && <SafeText isMono>{address}</SafeText>}
          {is_current && <Badge tone="ok">{words.current}</Badge>}
        </p>
        <p className="soft">
          {fill(words.sessionTimes, { since: time.dateTime(created_at), used: time.relative(last_used_at) })}
        </p>
      </div>
      {!is_current && (
        <Button size="s" onClick={onEnd} aria-label={`${words.end}: ${device_name ?? device}`}>
          {words.end}
        </Button>
      )}
    </li>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { ConfirmChange } from "../../../app/changes/confirm-change.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp, useMe } from "../../../app/context/app-context.ts";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { rolePhrases } from "../../../app/session/role-phrases.ts";
import { SiteNames } from "../../../app/sites/site-names.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Facts, Panel } from "../../../design/panel.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { UserSessions } from "./user-sessions.tsx";
import { removeFactors, sessionsKey, type User, updateUser } from "./users-client.ts";
import { usersPhrases } from "./users-phrases.ts";

type UserDialogKind = "edit" | "disable" | "factors";

export interface UserPaneProps {
  user: User;
  onChanged: (user: User) => void;
}

/** One user: facts, sessions, and administrative actions. */
export function UserPane({ user, onChanged }: UserPaneProps) {
  const words = usePhrases(usersPhrases);
  const { reason } = useChanges();
  const [asked, setAsked] = useState<UserDialogKind>();
  const isSelf = useMe().username === user.username;
  const { setDisabled, dropFactors } = useUserActions(user, onChanged);
  const close = () => setAsked(undefined);
  const edit = {
    id: "users.edit",
    label: words.edit,
    group: words.users,
    keys: ["e"],
    isEnabled: reason === undefined,
    reason,
    run: () => setAsked("edit"),
  };
  useCommands([edit]);
  return (
    <article className="users-pane">
      <h2 className="users-name">
        <SafeText isMono>{user.username}</SafeText>
      </h2>
      <UserFacts user={user} />
      <div className="users-actions">
        <CommandButton command={edit} />
        {user.disabled && (
          <Button disabled={reason !== undefined} title={reason} onClick={() => void setDisabled(false)}>
            {words.activate}
          </Button>
        )}
        {!user.disabled && !isSelf && (
          <Button kind="danger" disabled={reason !== undefined} title={reason} onClick={() => setAsked("disable")}>
            {words.deactivate}
          </Button>
        )}
      </div>
      <Panel title={words.factors}>
        <p className="soft">{words.factorsText}</p>
        <Button size="s" disabled={reason !== undefined} title={reason} onClick={() => setAsked("factors")}>
          {words.removeFactors}
        </Button>
      </Panel>
      <UserSessions username={user.username} />
      {asked === "edit" && <UserDialog user={user} onClose={close} onDone={onChanged} />}
      {asked === "disable" && (
        <ConfirmChange
          title={fill(words.deactivateTitle, { name: user.username })}
          label={words.deactivate}
          onConfirm={() => setDisabled(true).then(close)}
          onClose={close}
        >
          <p>{words.deactivateText}</p>
        </ConfirmChange>
      )}
      {asked === "factors" && (
        <ConfirmChange
          title={fill(words.removeFactorsTitle, { name: user.username })}
          label={words.removeFactors}
          onConfirm={() => dropFactors().then(close)}
          onClose={close}
        >
          <p>{words.removeFactorsText}</p>
        </ConfirmChange>
      )}
    </article>
  );
}

function UserFacts({ user }: { user: User }) {
  const words = usePhrases(usersPhrases);
  const roles = usePhrases(rolePhrases);
  const time = useTime();
  return (
    <Facts
      items={[
        { label: words.fields.state, value: <UserState user={user} /> },
        {
          label: words.fields.role,
          value: (
            <>
              <Link to="/settings/roles">{roles[user.role].name}</Link>{" "}
              <span className="soft">{roles[user.role].meaning}</span>
            </>
          ),
        },
        { label: words.fields.sites, value: <SiteNames sites={user.sites} /> },
        ...(user.email === null
          ? []
          : [{ label: words.fields.email, value: <SafeText isMono>{user.email}</SafeText> }]),
        { label: words.fields.created, value: time.dateTime(user.created_at) },
        { label: words.fields.changed, value: time.dateTime(user.updated_at) },
        {
          label: words.alerts,
          value: (
            <Link to={`/entity/user/${encodeURIComponent(user.username)}`}>
              <SafeText isMono>{user.username}</SafeText>
            </Link>
          ),
        },
      ]}
    />
  );
}

export function UserState({ user }: { user: Pick<User, "disabled"> }) {
  const words = usePhrases(usersPhrases);
  return <Badge tone={user.disabled ? "failed" : "ok"}>{user.disabled ? words.disabled : words.active}</Badge>;
}

function useUserActions(user: User, onChanged: (user: User) => void) {
  const words = usePhrases(usersPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const readSessions = () => queries.invalidateQueries({ queryKey: sessionsKey(user.username) });
  return {
    setDisabled: async (disabled: boolean) => {
      const changed = await send(() => updateUser(server, user.username, { disabled }), { before: user });
      if (!changed) return;
      notify({ tone: "ok", text: disabled ? words.deactivated : words.activated });
      onChanged(changed);
      await readSessions();
    },
    dropFactors: async () => {
      const answer = await send(() => removeFactors(server, user.username));
      if (!answer) return;
      notify({ tone: "ok", text: numbers.count(answer.removed, words.factorsRemoved) });
      await readSessions();
    },
  };
}

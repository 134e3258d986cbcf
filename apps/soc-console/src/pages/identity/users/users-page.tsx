import { useState } from "react";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../app/changes/use-main-command.tsx";
import { useApp, useMe } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { rolePhrases } from "../../../app/session/role-phrases.ts";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { SiteNames } from "../../../app/sites/site-names.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge } from "../../../design/chip.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { UserPane, UserState } from "./user-pane.tsx";
import { listUsers, type User } from "./users-client.ts";
import { usersPhrases } from "./users-phrases.ts";
import "./users.css";

export const UsersPage = withChanges("role:admin", Users);

const readKey = ({ username }: User) => username;

function Users() {
  const words = usePhrases(usersPhrases);
  const { server } = useApp();
  const [isCreating, setIsCreating] = useState(false);
  const pages = useRecordPages<User>("users", {}, (query, signal) => listUsers(server, query, signal));
  const renderRow = useUserRow();
  const patch = (changed: User) => pages.patch((user) => (user.username === changed.username ? changed : user));
  const tools = useMainCommand({
    id: "users.new",
    label: words.newUser,
    group: words.users,
    run: () => setIsCreating(true),
  });
  const { fields } = words;
  return (
    <SettingsPage tab="users" isFull tools={tools}>
      <RecordList
        label={words.users}
        noun="users"
        events="user."
        columns={[
          { key: "username", title: fields.username, width: "minmax(140px, 1fr)" },
          { key: "role", title: fields.role, width: "minmax(90px, 140px)" },
          { key: "state", title: fields.state, width: "120px" },
          { key: "sites", title: fields.sites, width: "minmax(90px, 1fr)" },
          { key: "email", title: fields.email, width: "minmax(0, 1fr)" },
          { key: "changed", title: fields.changed, width: "minmax(0, 164px)" },
        ]}
        pages={pages}
        rowKey={readKey}
        rowName={({ username }) => safeText(username)}
        renderRow={renderRow}
        renderPane={(user) => <UserPane key={user.username} user={user} onChanged={patch} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
      {isCreating && <UserDialog onClose={() => setIsCreating(false)} onDone={() => pages.reload()} />}
    </SettingsPage>
  );
}

function useUserRow() {
  const words = usePhrases(usersPhrases);
  const roles = usePhrases(rolePhrases);
  const time = useTime();
  const { username: self } = useMe();
  return (user: User) => (
    <>
      <span className="users-who">
        <SafeText isMono>{user.username}</SafeText>
        {user.username === self && <Badge tone="plain">{words.you}</Badge>}
      </span>
      <span>{roles[user.role].name}</span>
      <UserState user={user} />
      <SiteNames sites={user.sites} />
      <span className="soft">{user.email !== null && <SafeText isMono>{user.email}</SafeText>}</span>
      <time className="soft" dateTime={user.updated_at}>
        {time.dateTime(user.updated_at)}
      </time>
    </>
  );
}

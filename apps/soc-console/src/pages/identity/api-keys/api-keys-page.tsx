import { useState } from "react";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../app/changes/use-main-command.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { SiteNames } from "../../../app/sites/site-names.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { type ApiKey, listKeys } from "./api-keys-client.ts";
import { apiKeysPhrases } from "./api-keys-phrases.ts";
import { KeyOnceDialog } from "./key-once-dialog.tsx";
import { KeyPane, KeyStateBadge } from "./key-pane.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import "./api-keys.css";

export const ApiKeysPage = withChanges("role:admin", ApiKeys);

const readKey = ({ id }: ApiKey) => id;

function ApiKeys() {
  const words = usePhrases(apiKeysPhrases);
  const { server } = useApp();
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const pages = useRecordPages<ApiKey>("api-keys", {}, (query, signal) => listKeys(server, query, signal));
  const renderRow = useKeyRow();
  const tools = useMainCommand({
    id: "keys.new",
    label: words.newKey,
    group: words.keys,
    run: () => setIsCreating(true),
  });
  const { fields } = words;
  return (
    <SettingsPage tab="keys" isFull tools={tools}>
      <RecordList
        label={words.keys}
        noun="keys"
        events="api_key."
        columns={[
          { key: "name", title: fields.name, width: "minmax(130px, 1fr)" },
          { key: "owner", title: fields.owner, width: "minmax(80px, 160px)" },
          { key: "state", title: fields.state, width: "104px" },
          { key: "sites", title: fields.sites, width: "minmax(80px, 1fr)" },
          { key: "scopes", title: fields.scopes, width: "88px" },
          { key: "used", title: fields.lastUsed, width: "minmax(0, 120px)" },
          { key: "ends", title: fields.ends, width: "minmax(0, 110px)" },
        ]}
        pages={pages}
        rowKey={readKey}
        rowName={({ name }) => safeText(name)}
        renderRow={renderRow}
        renderPane={(apiKey) => <KeyPane key={apiKey.id} apiKey={apiKey} onEnded={pages.reload} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
      {isCreating && (
        <NewKeyDialog
          onClose={() => setIsCreating(false)}
          onCreated={({ key }) => {
            setIsCreating(false);
            setSecret(key);
            pages.reload();
          }}
        />
      )}
      {secret !== undefined && <KeyOnceDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </SettingsPage>
  );
}

function useKeyRow() {
  const words = usePhrases(apiKeysPhrases);
  const numbers = useNumbers();
  const time = useTime();
  return (apiKey: ApiKey) => (
    <>
      <SafeText isMono>{apiKey.name}</SafeText>
      <SafeText isMono>{apiKey.owner}</SafeText>
      <KeyStateBadge apiKey={apiKey} />
      <SiteNames sites={apiKey.sites} />
      <span title={apiKey.scopes.join(", ")}>{numbers.count(apiKey.scopes.length, words.scopeCount)}</span>
      <span className="soft">{apiKey.last_used_at === null ? words.never : time.relative(apiKey.last_used_at)}</span>
      <time className="soft" dateTime={apiKey.expires_at} title={time.dateTime(apiKey.expires_at)}>
        {time.day(apiKey.expires_at)}
      </time>
    </>
  );
}

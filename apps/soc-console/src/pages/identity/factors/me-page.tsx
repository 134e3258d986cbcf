import { useMe } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Facts, Panel } from "../../../design/panel.tsx";
import { Notice } from "../../../design/states.tsx";
import { FactorsPanel } from "./factors-panel.tsx";
import { LookPanel } from "./look-panel.tsx";
import { mePhrases } from "./me-phrases.ts";
import { PasswordPanel } from "./password-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import "./factors.css";

function AccountPanel() {
  const words = usePhrases(mePhrases);
  const { username, role, email, sites } = useMe();
  return (
    <Panel title={words.account}>
      <Facts
        items={[
          { label: words.username, value: <SafeText isMono>{username}</SafeText> },
          { label: words.role, value: <SafeText isMono>{role}</SafeText> },
          ...(email === null ? [] : [{ label: words.email, value: <SafeText isMono>{email}</SafeText> }]),
          ...(sites
            ? [{ label: words.sites, value: <SafeText>{sites.map(({ name }) => name).join(", ")}</SafeText> }]
            : []),
        ]}
      />
    </Panel>
  );
}

/** Account settings: factors, sessions, password, appearance. */
export function MePage() {
  const words = usePhrases(mePhrases);
  const mode = useMode();
  return (
    <SettingsPage tab="me" title={words.title}>
      {mode === "dummy" && <Notice tone="waiting">{words.dummy}</Notice>}
      {mode === "dry_run" && <Notice tone="waiting">{words.dryRun}</Notice>}
      <div className="factors-page">
        <div className="factors-column">
          <FactorsPanel />
          <SessionsPanel />
        </div>
        <div className="factors-column">
          <AccountPanel />
          <PasswordPanel />
          <LookPanel />
        </div>
      </div>
    </SettingsPage>
  );
}

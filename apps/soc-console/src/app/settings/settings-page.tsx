import type { ReactNode } from "react";
import { TabLinks } from "../../design/tabs.tsx";
import { useAddress } from "../address/use-address.ts";
import { useMe } from "../context/app-context.ts";
import { useCommands } from "../keys/commands-context.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { Page } from "../page/page.tsx";
import { meets, type Need } from "../session/session.ts";
import { type SettingsTab, settingsPhrases } from "./settings-phrases.ts";

/** Tabs in order. A tab that the user may not read is hidden. */
const TABS: readonly { name: SettingsTab; needs: readonly Need[] }[] = [
  { name: "me", needs: [] },
  { name: "users", needs: ["role:admin", "all-sites"] },
  { name: "roles", needs: [] },
  { name: "keys", needs: ["role:admin", "all-sites"] },
  { name: "sites", needs: ["sites:read"] },
  { name: "sources", needs: ["siem:read", "all-sites"] },
  { name: "dead-letters", needs: ["siem:read", "all-sites"] },
  { name: "channels", needs: ["soar:manage", "all-sites"] },
  { name: "runtime", needs: [] },
  { name: "system", needs: ["all-sites"] },
];

const KEYS = "1234567890";

export interface SettingsPageProps {
  tab: SettingsTab;
  /** The heading. Default: the name of the tab. */
  title?: string | undefined;
  tools?: ReactNode;
  isFull?: boolean | undefined;
  children: ReactNode;
}

/** A settings page with the tabs of the others. */
export function SettingsPage({ tab, title, tools, isFull = false, children }: SettingsPageProps) {
  const words = usePhrases(settingsPhrases);
  const me = useMe();
  const { go } = useAddress();
  const tabs = TABS.filter(({ needs }) => meets(me, needs));
  useCommands(
    tabs.map(({ name }, at) => ({
      id: `settings.${name}`,
      label: words.tabs[name],
      group: words.settings,
      keys: [KEYS.charAt(at)],
      run: () => go(`/settings/${name}`),
    })),
  );
  return (
    <Page
      title={title ?? words.tabs[tab]}
      tools={tools}
      isFull={isFull}
      tabs={
        <TabLinks
          label={words.settings}
          items={tabs.map(({ name }) => ({
            label: words.tabs[name],
            href: `/settings/${name}`,
            isCurrent: name === tab,
            onSelect: () => go(`/settings/${name}`),
          }))}
        />
      }
    >
      {children}
    </Page>
  );
}

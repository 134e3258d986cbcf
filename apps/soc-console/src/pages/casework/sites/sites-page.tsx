import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../app/changes/use-main-command.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { SITES_KEY } from "../../../app/sites/use-sites.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState, Notice } from "../../../design/states.tsx";
import { SiteDialog } from "./site-dialog.tsx";
import { filterBySite } from "./site-members.ts";
import { type HeldLists, SitePane } from "./site-pane.tsx";
import { HELD_KEY, listSites, readHeld, readProviders, type Site } from "./sites-client.ts";
import { formatClasses, sitesPhrases } from "./sites-phrases.ts";
import "./sites.css";

export const SitesPage = withChanges("sites:manage", Sites);

const readKey = ({ id }: Site) => id;

function Sites() {
  const words = usePhrases(sitesPhrases);
  const { server } = useApp();
  const queries = useQueryClient();
  const mayListUsers = useMay("role:admin", "all-sites");
  const [isCreating, setIsCreating] = useState(false);
  const pages = useRecordPages<Site>("sites", {}, (query, signal) => listSites(server, query, signal));
  const { data: held } = useQuery({
    queryKey: HELD_KEY,
    queryFn: ({ signal }) => readHeld(server, signal),
    enabled: mayListUsers,
  });
  const { columns, renderRow } = useSiteRows(mayListUsers, held);
  const reload = () => {
    pages.reload();
    void queries.invalidateQueries({ queryKey: SITES_KEY });
  };
  const tools = useMainCommand({
    id: "sites.new",
    label: words.newSite,
    group: words.sites,
    run: () => setIsCreating(true),
  });
  return (
    <SettingsPage tab="sites" isFull tools={tools}>
      {mayListUsers && <ProviderGroups />}
      <RecordList
        label={words.sites}
        noun="sites"
        events="site."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        rowName={({ name }) => safeText(name)}
        renderRow={renderRow}
        renderPane={(site) => <SitePane key={site.id} site={site} held={held} onRemoved={reload} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
      {isCreating && <SiteDialog onClose={() => setIsCreating(false)} onDone={reload} />}
    </SettingsPage>
  );
}

function useSiteRows(mayListUsers: boolean, held: HeldLists | undefined) {
  const words = usePhrases(sitesPhrases);
  const numbers = useNumbers();
  const { fields, classes } = words;
  const columns: ListColumn[] = [
    { key: "name", title: fields.name, width: "minmax(130px, 1fr)" },
    { key: "classes", title: fields.classes, width: "minmax(120px, 1.5fr)" },
    ...(mayListUsers
      ? ([
          { key: "users", title: fields.users, width: "minmax(64px, 120px)", align: "end" },
          { key: "keys", title: fields.keys, width: "minmax(64px, 120px)", align: "end" },
        ] as const)
      : []),
  ];
  const renderRow = (site: Site) => [
    <SafeText key="name">{site.name}</SafeText>,
    <span key="classes" className="soft">
      {formatClasses(classes, site.profile.asset_classes)}
    </span>,
    ...(mayListUsers
      ? [
          <span key="users">{held && numbers.number(filterBySite(held.users, site.id).length)}</span>,
          <span key="keys">{held && numbers.number(filterBySite(held.keys, site.id).length)}</span>,
        ]
      : []),
  ];
  return { columns, renderRow };
}

/** Explains where the sites of a provider's users are configured. */
function ProviderGroups() {
  const words = usePhrases(sitesPhrases);
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: ["sites", "providers"],
    queryFn: ({ signal }) => readProviders(server, signal),
    retry: false,
  });
  if (!data || data.providers.length === 0) return null;
  return (
    <Notice tone="plain">
      <strong>{words.groups}</strong>: <SafeText>{data.providers.map(({ label }) => label).join(", ")}</SafeText>.{" "}
      {words.groupsText}
    </Notice>
  );
}

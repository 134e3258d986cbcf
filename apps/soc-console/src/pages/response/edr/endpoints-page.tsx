import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useReadAgain } from "../../../app/context/use-read-again.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FilterLine, FilterSearch, FilterSelect } from "../../../app/lists/filter-line.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import {
  EDR,
  type EdrAction,
  type EdrStats,
  type Endpoint,
  readActions,
  readEndpoints,
  readStats,
} from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";
import { EndpointPane } from "./endpoint-pane.tsx";
import { AdapterLine } from "./endpoint-parts.tsx";
import { EndpointCells } from "./endpoint-row.tsx";
import { readAdapter } from "./isolation.ts";
import { useEndpointVerbs } from "./use-endpoint-verbs.ts";
import "./edr.css";

export const EndpointsPage = withChanges("edr:manage", Endpoints);

const VIEWS = ["all", "pending", "isolated", "online", "offline"] as const;
type View = (typeof VIEWS)[number];
type AddressPart = Readonly<Record<string, string | undefined>>;

const VIEW_SEARCH: Readonly<Record<View, AddressPart>> = {
  all: {},
  pending: { isolation: "pending" },
  isolated: { isolation: "isolated" },
  online: { status: "online" },
  offline: { status: "offline" },
};

function chooseView({ isolation, status }: AddressPart): View {
  return VIEWS.find((view) => view !== "all" && (view === isolation || view === status)) ?? "all";
}

const NO_ACTIONS: readonly EdrAction[] = [];
const readKey = ({ id }: Endpoint) => id;

/** The data that the list shows beside its rows. */
function useFleet() {
  const { server } = useApp();
  const { data: stats } = useQuery({
    queryKey: [EDR, "stats"],
    queryFn: ({ signal }) => readStats(server, signal),
  });
  const { data: recent } = useQuery({
    queryKey: [EDR, "actions"],
    queryFn: ({ signal }) => readActions(server, {}, signal),
  });
  const { data: inForce } = useQuery({
    queryKey: [EDR, "in-force"],
    queryFn: ({ signal }) => readActions(server, { in_force: true }, signal),
  });
  const { data: pending } = useQuery({
    queryKey: [EDR, "pending"],
    queryFn: ({ signal }) => readEndpoints(server, { isolation: "pending", limit: 1 }, signal),
  });
  useReadAgain([EDR], ({ type }) => type.startsWith("endpoint."));
  const actions = useMemo(() => {
    const byEndpoint = new Map<string, EdrAction[]>();
    for (const action of [...(recent?.items ?? []), ...(inForce?.items ?? [])])
      byEndpoint.set(action.endpoint_id, [...(byEndpoint.get(action.endpoint_id) ?? []), action]);
    return byEndpoint;
  }, [recent, inForce]);
  const adapter = stats && readAdapter(stats.adapter, recent?.items ?? []);
  return { stats, adapter, actions, pending: pending?.total };
}

function useColumns(): ListColumn[] {
  const { columns: words } = usePhrases(edrPhrases);
  return useMemo(
    () => [
      { key: "host", title: words.host, width: "minmax(140px, 1fr)" },
      { key: "isolation", title: words.isolation, width: "minmax(290px, 1.4fr)" },
      { key: "os", title: words.os, width: "minmax(100px, 150px)" },
      { key: "site", title: words.site, width: "minmax(90px, 130px)" },
      { key: "agent", title: words.agent, width: "64px" },
      { key: "seen", title: words.seen, width: "124px" },
      { key: "risk", title: words.risk, width: "52px", align: "end" },
    ],
    [words],
  );
}

function Endpoints() {
  const words = usePhrases(edrPhrases);
  const { server } = useApp();
  const { search, change, go } = useAddress();
  const { stats, adapter, actions, pending } = useFleet();
  const { site, os, status, isolation, q } = search;
  const pages = useRecordPages<Endpoint>("endpoints", { site, os, status, isolation, q }, (query, signal) =>
    readEndpoints(server, query, signal),
  );
  const verbs = useEndpointVerbs(stats);
  const findActions = useCallback((id: string) => actions.get(id) ?? NO_ACTIONS, [actions]);
  const renderRow = useCallback(
    (item: Endpoint) => <EndpointCells endpoint={item} actions={findActions(item.id)} />,
    [findActions],
  );
  const isFiltered = [site, os, status, isolation, q].some((value) => value !== undefined);
  const clear = () => change({ site: undefined, os: undefined, status: undefined, isolation: undefined, q: undefined });
  return (
    <Page title={words.title} isFull tabs={<Views stats={stats} pending={pending} />}>
      {adapter && <AdapterLine adapter={adapter} />}
      <FilterBar stats={stats} />
      <RecordList
        label={words.title}
        noun="endpoints"
        events="endpoint."
        columns={useColumns()}
        pages={pages}
        rowKey={readKey}
        renderRow={renderRow}
        rowName={({ hostname }) => safeText(hostname)}
        onOpen={(id) => go(`/endpoints/${id}`)}
        rowCommands={verbs.build}
        renderPane={(item) => (
          <EndpointPane
            endpoint={item}
            actions={findActions(item.id)}
            commands={verbs.build(item)}
            hasAdapter={stats?.adapter.configured ?? false}
          />
        )}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        onClearFilter={isFiltered ? clear : undefined}
      />
      <ActionDialog asked={verbs.asked} onClose={verbs.close} />
    </Page>
  );
}

function Views({ stats, pending }: { stats: EdrStats | undefined; pending: number | undefined }) {
  const words = usePhrases(edrPhrases);
  const { number } = useNumbers();
  const { search, go } = useAddress();
  const current = chooseView(search);
  const counts: Readonly<Record<View, number | undefined>> = {
    all: stats?.total,
    pending,
    isolated: stats?.isolated,
    online: stats?.online,
    offline: stats?.offline,
  };
  const { site, os, q } = search;
  return (
    <TabLinks
      label={words.views.label}
      items={VIEWS.map((view) => ({
        label: words.views[view],
        count: counts[view] === undefined ? undefined : number(counts[view]),
        isCurrent: view === current,
        href: `/endpoints?${new URLSearchParams(Object.entries(VIEW_SEARCH[view]).map(([name, value]) => [name, value ?? ""]))}`,
        onSelect: () => go("/endpoints", { site, os, q, ...VIEW_SEARCH[view] }),
      }))}
    />
  );
}

function FilterBar({ stats }: { stats: EdrStats | undefined }) {
  const words = usePhrases(edrPhrases);
  const { search } = useAddress();
  const list = (values: Readonly<Record<string, number>> | undefined, chosen: string | undefined) =>
    [...new Set([...Object.keys(values ?? {}), ...(chosen === undefined ? [] : [chosen])])].map((value) => ({
      value,
      label: safeText(values?.[value] === undefined ? value : `${value} (${values[value]})`),
    }));
  return (
    <FilterLine>
      <FilterSearch
        label={words.search}
        command={{ id: "endpoints.filter", label: words.filter, group: words.title }}
      />
      <FilterSelect
        name="site"
        label={words.columns.site}
        any={words.anySite}
        options={list(stats?.by_site, search.site)}
      />
      <FilterSelect name="os" label={words.columns.os} any={words.anyOs} options={list(stats?.by_os, search.os)} />
    </FilterLine>
  );
}

import { useCallback, useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FilterLine, FilterSearch, FilterSelect, FilterText } from "../../../app/lists/filter-line.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { CodeDialog } from "./code-dialog.tsx";
import { CommandButtons } from "./command-buttons.tsx";
import { DevicePane } from "./device-pane.tsx";
import { DeviceCells } from "./device-row.tsx";
import { type Device, readDevices, VERDICTS } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { FleetChart } from "./fleet-chart.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { useDeviceVerbs } from "./use-device-verbs.ts";
import { useCounts, useFleetAttestations, useSiteNames } from "./use-fleet.ts";
import "./devices.css";

export const DevicesPage = withChanges("cps:manage", Devices);

const STATUSES = ["active", "quarantined", "revoking", "revoked", "offline"] as const;
const FILTERS = ["verdict", "status", "type", "site", "q"] as const;
const readKey = ({ id }: Device) => id;

function useColumns(): ListColumn[] {
  const { columns: words } = usePhrases(devicesPhrases);
  return useMemo(
    () => [
      { key: "verdict", title: words.verdict, width: "180px" },
      { key: "name", title: words.name, width: "minmax(130px, 0.7fr)" },
      { key: "why", title: words.why, width: "minmax(160px, 1.3fr)" },
      { key: "firmware", title: words.firmware, width: "minmax(120px, 180px)" },
      { key: "certificate", title: words.certificate, width: "120px" },
      { key: "answered", title: words.answered, width: "92px" },
      { key: "status", title: words.status, width: "92px" },
    ],
    [words],
  );
}

function Devices() {
  const words = usePhrases(devicesPhrases);
  const { server } = useApp();
  const { search, change, go } = useAddress();
  const { newest, byDevice } = useFleetAttestations();
  const { verdict, status, type, site, q } = search;
  const pages = useRecordPages<Device>("devices", { verdict, status, type, site, q }, (query, signal) =>
    readDevices(server, query, signal),
  );
  const verbs = useDeviceVerbs();
  useCommands(verbs.create ? [verbs.create] : []);
  const renderRow = useCallback(
    (item: Device) => <DeviceCells device={item} last={byDevice.get(item.id)} />,
    [byDevice],
  );
  const isFiltered = FILTERS.some((name) => search[name] !== undefined);
  return (
    <Page
      title={words.title}
      isFull
      tabs={<VerdictTabs />}
      tools={
        <>
          <OtherPages />
          {verbs.create && <CommandButtons commands={[verbs.create]} />}
        </>
      }
    >
      <FleetChart attestations={newest} />
      <FilterBar />
      <RecordList
        label={words.title}
        noun="devices"
        events="device."
        columns={useColumns()}
        pages={pages}
        rowKey={readKey}
        renderRow={renderRow}
        rowName={({ name }) => safeText(name)}
        onOpen={(id) => go(`/devices/${id}`)}
        rowCommands={verbs.build}
        renderPane={(item) => <DevicePane device={item} last={byDevice.get(item.id)} commands={verbs.build(item)} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        onClearFilter={
          isFiltered ? () => change(Object.fromEntries(FILTERS.map((name) => [name, undefined]))) : undefined
        }
      />
      <RevokeDialog
        device={verbs.revoked}
        last={verbs.revoked && byDevice.get(verbs.revoked.id)}
        onClose={verbs.close}
      />
      <CodeDialog enrolled={verbs.enrolled} onClose={verbs.close} />
    </Page>
  );
}

/** Device count per verdict. Each is a filter. */
function VerdictTabs() {
  const words = usePhrases(devicesPhrases);
  const { number } = useNumbers();
  const { search, change } = useAddress();
  const counts = useCounts();
  const show = (count: number | undefined) => (count === undefined ? undefined : number(count));
  return (
    <TabLinks
      label={words.views.label}
      items={[
        {
          label: words.views.all,
          count: show(counts?.all),
          isCurrent: search.verdict === undefined,
          href: "/devices",
          onSelect: () => change({ verdict: undefined }, { isStep: true }),
        },
        ...VERDICTS.map((verdict) => ({
          label: words.verdicts[verdict],
          count: show(counts?.byVerdict.get(verdict)),
          isCurrent: search.verdict === verdict,
          href: `/devices?verdict=${verdict}`,
          onSelect: () => change({ verdict }, { isStep: true }),
        })),
      ]}
    />
  );
}

function OtherPages() {
  const { other: words } = usePhrases(devicesPhrases);
  const { go } = useAddress();
  const build = (label: string, href: string) => ({ label, href, isCurrent: false, onSelect: () => go(href) });
  return (
    <TabLinks
      label={words.label}
      items={[build(words.firmware, "/devices/firmware"), build(words.correlations, "/correlations")]}
    />
  );
}

function FilterBar() {
  const words = usePhrases(devicesPhrases);
  const sites = useSiteNames();
  return (
    <FilterLine>
      <FilterSearch label={words.search} command={{ id: "devices.filter", label: words.filter, group: words.title }} />
      <FilterSelect
        name="status"
        label={words.columns.status}
        any={words.anyStatus}
        options={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
      />
      {sites.size > 0 && (
        <FilterSelect
          name="site"
          label={words.site}
          any={words.anySite}
          options={[...sites].map(([value, label]) => ({ value, label: safeText(label) }))}
        />
      )}
      <FilterText name="type" label={words.type} placeholder={words.anyType} />
    </FilterLine>
  );
}

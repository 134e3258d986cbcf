import { ChevronLeft } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useChanges, withChanges } from "../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../app/changes/use-main-command.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FilterLine, FilterSearch } from "../../../app/lists/filter-line.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { StatusDot } from "../../../design/severity.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { type Firmware, readFirmware } from "./firmware-client.ts";
import { FirmwareDialog } from "./firmware-dialog.tsx";
import { FirmwarePane } from "./firmware-pane.tsx";
import { firmwarePhrases } from "./firmware-phrases.ts";
import { isHash } from "./firmware-text.ts";
import { StateDialog } from "./state-dialog.tsx";
import "./firmware.css";

export const FirmwarePage = withChanges("cps:manage", Catalog);

const readKey = ({ id }: Firmware) => id;

function useColumns(): ListColumn[] {
  const { columns: words } = usePhrases(firmwarePhrases);
  return useMemo(
    () => [
      { key: "product", title: words.product, width: "minmax(150px, 1fr)" },
      { key: "version", title: words.version, width: "110px" },
      { key: "vendor", title: words.vendor, width: "minmax(100px, 160px)" },
      { key: "state", title: words.state, width: "150px" },
      { key: "devices", title: words.devices, width: "72px", align: "end" },
      { key: "hash", title: words.hash, width: "minmax(140px, 1fr)" },
    ],
    [words],
  );
}

function useRenderRow() {
  const words = usePhrases(firmwarePhrases);
  const { number } = useNumbers();
  return useCallback(
    (item: Firmware) => (
      <>
        <span className="list-title list-strong">
          <SafeText>{item.product}</SafeText>
        </span>
        <SafeText isMono>{item.version}</SafeText>
        <span className="list-title soft">
          <SafeText>{item.vendor}</SafeText>
        </span>
        <span className="firmware-state">
          <StatusDot shape={item.known_good ? "check" : "cross"} tone={item.known_good ? "ok" : "critical"} />
          {item.approval_id ? words.waits : item.known_good ? words.good : words.withdrawn}
        </span>
        <span>{number(item.devices)}</span>
        <span className="list-title soft">
          <SafeText isMono>{item.hash}</SafeText>
        </span>
      </>
    ),
    [words, number],
  );
}

function Catalog() {
  const words = usePhrases(firmwarePhrases);
  const { server } = useApp();
  const { search, change } = useAddress();
  const { mayWrite, reason } = useChanges();
  const [edited, setEdited] = useState<Firmware | "new">();
  const [switched, setSwitched] = useState<Firmware>();
  const { known_good, hash } = search;
  const pages = useRecordPages<Firmware>("firmware", { known_good, hash }, (query, signal) =>
    readFirmware(server, query, signal),
  );
  const about = { group: words.group, isEnabled: reason === undefined, reason };
  const add = useMainCommand({ id: "firmware.add", label: words.add, group: words.group, run: () => setEdited("new") });
  const build = (item: Firmware): readonly Command[] =>
    mayWrite
      ? [
          { ...about, id: "firmware.change", label: words.change, keys: ["e"], run: () => setEdited(item) },
          {
            ...about,
            id: "firmware.switch",
            label: item.known_good ? words.withdraw : words.restore,
            keys: ["w"],
            run: () => setSwitched(item),
          },
        ]
      : [];
  const isFiltered = known_good !== undefined || hash !== undefined;
  return (
    <Page title={words.title} isFull back={<Back />} tabs={<Views />} tools={add}>
      <FilterBar />
      <RecordList
        label={words.title}
        noun="firmware"
        events="firmware."
        columns={useColumns()}
        pages={pages}
        rowKey={readKey}
        renderRow={useRenderRow()}
        rowName={({ product, version }) => safeText(`${product} ${version}`)}
        rowCommands={build}
        renderPane={(item) => <FirmwarePane firmware={item} commands={build(item)} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        onClearFilter={isFiltered ? () => change({ known_good: undefined, hash: undefined }) : undefined}
      />
      <FirmwareDialog
        edited={edited}
        hash={hash !== undefined && isHash(hash) ? hash : ""}
        onClose={() => setEdited(undefined)}
        onStored={pages.reload}
      />
      <StateDialog firmware={switched} onClose={() => setSwitched(undefined)} onStored={pages.reload} />
    </Page>
  );
}

function Back() {
  const words = usePhrases(firmwarePhrases);
  return (
    <Link to="/devices" className="firmware-back" title={words.back} activeOptions={{ exact: true }}>
      <ChevronLeft aria-hidden="true" />
      {words.back}
    </Link>
  );
}

function Views() {
  const { views: words } = usePhrases(firmwarePhrases);
  const { search, change } = useAddress();
  const build = (label: string, known_good: string | undefined) => ({
    label,
    isCurrent: search.known_good === known_good,
    href: known_good === undefined ? "/devices/firmware" : `/devices/firmware?known_good=${known_good}`,
    onSelect: () => change({ known_good }, { isStep: true }),
  });
  return (
    <TabLinks
      label={words.label}
      items={[build(words.all, undefined), build(words.good, "true"), build(words.withdrawn, "false")]}
    />
  );
}

function FilterBar() {
  const words = usePhrases(firmwarePhrases);
  return (
    <FilterLine>
      <FilterSearch
        name="hash"
        dir="ltr"
        label={words.search}
        command={{ id: "firmware.filter", label: words.filter, group: words.title }}
      />
    </FilterLine>
  );
}

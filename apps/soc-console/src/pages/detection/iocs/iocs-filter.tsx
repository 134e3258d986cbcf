import { Download } from "lucide-react";
import type { AddressSearch } from "../../../app/address/search.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { FilterLine, FilterSearch, FilterSelect } from "../../../app/lists/filter-line.tsx";
import { refang } from "../../../app/text/defang.ts";
import { Button } from "../../../design/button.tsx";
import { Menu } from "../../../design/menu.tsx";
import { type ExchangeFormat, exportAddress, IOC_SEVERITIES, IOC_TYPES, type IocsQuery } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

const MIN_SEARCHED = 3;
const STATES = ["active", "ended"] as const;
const FORMATS: readonly ExchangeFormat[] = ["stix", "misp"];

/** The filter in the address, without values that the service would refuse. */
export function readFilter({ q = "", type, severity, state, tag, source }: AddressSearch): IocsQuery {
  const text = refang(q.trim());
  return {
    q: text.length >= MIN_SEARCHED ? text : undefined,
    type: IOC_TYPES.find((each) => each === type),
    severity: IOC_SEVERITIES.find((each) => each === severity),
    active: state === "active" || state === "ended" ? state === "active" : undefined,
    tag,
    source,
  };
}

export function isFiltered(filter: IocsQuery): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function IocsFilter() {
  const words = usePhrases(iocsPhrases);
  return (
    <FilterLine>
      <FilterSearch
        label={words.search}
        placeholder={words.searchHint}
        maxLength={200}
        command={{ id: "iocs.filter", label: words.search, group: words.title }}
      />
      <FilterSelect
        name="type"
        label={words.type}
        any={words.anyType}
        options={IOC_TYPES.map((value) => ({ value, label: words.types[value] }))}
      />
      <FilterSelect
        name="severity"
        label={words.severity}
        any={words.anySeverity}
        options={IOC_SEVERITIES.map((value) => ({ value, label: words.severities[value] }))}
      />
      <FilterSelect
        name="state"
        label={words.state}
        any={words.anyState}
        options={STATES.map((value) => ({ value, label: words.states[value] }))}
      />
    </FilterLine>
  );
}

/** Downloads the indicators in the list. */
export function ExportMenu({ filter }: { filter: IocsQuery }) {
  const words = usePhrases(iocsPhrases);
  const download = (format: ExchangeFormat) => {
    const link = document.createElement("a");
    link.href = exportAddress(filter, format);
    link.download = "";
    link.click();
  };
  return (
    <Menu
      label={words.export}
      trigger={<Button icon={<Download />}>{words.export}</Button>}
      items={FORMATS.map((format) => ({
        label: words.formats[format],
        reason: words.exportHint,
        onSelect: () => download(format),
      }))}
    />
  );
}

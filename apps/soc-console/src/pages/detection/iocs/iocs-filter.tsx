import { Download, Search } from "lucide-react";
import { useRef } from "react";
import type { AddressSearch } from "../../../app/address/search.ts";
import { useAddress } from "../../../app/address/use-address.ts";
import { useTyped } from "../../../app/address/use-typed.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { refang } from "../../../app/text/defang.ts";
import { Button } from "../../../design/button.tsx";
import { SelectField, TextField } from "../../../design/field.tsx";
import { Menu } from "../../../design/menu.tsx";
import { type ExchangeFormat, exportAddress, IOC_SEVERITIES, IOC_TYPES, type IocsQuery } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

const MIN_SEARCHED = 3;
const STATES = ["active", "ended"] as const;
const FORMATS: readonly ExchangeFormat[] = ["stix", "misp"];

/** What the address says of the list; what the service would refuse is left out. */
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
  const { search, change } = useAddress();
  const [q, setQ] = useTyped("q");
  const field = useRef<HTMLInputElement>(null);
  useCommands([
    { id: "iocs.filter", label: words.search, group: words.title, keys: ["/"], run: () => field.current?.focus() },
  ]);
  const choose = (name: string) => (value: string) => change({ [name]: value }, { isStep: true });
  return (
    <div className="iocs-filter">
      <TextField
        ref={field}
        label={words.search}
        isLabelHidden
        icon={<Search size={14} aria-hidden="true" />}
        placeholder={words.searchHint}
        value={q}
        maxLength={200}
        onChange={(event) => setQ(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <SelectField
        label={words.type}
        isLabelHidden
        value={search.type ?? ""}
        options={[
          { value: "", label: words.anyType },
          ...IOC_TYPES.map((value) => ({ value, label: words.types[value] })),
        ]}
        onChange={choose("type")}
      />
      <SelectField
        label={words.severity}
        isLabelHidden
        value={search.severity ?? ""}
        options={[
          { value: "", label: words.anySeverity },
          ...IOC_SEVERITIES.map((value) => ({ value, label: words.severities[value] })),
        ]}
        onChange={choose("severity")}
      />
      <SelectField
        label={words.state}
        isLabelHidden
        value={search.state ?? ""}
        options={[
          { value: "", label: words.anyState },
          ...STATES.map((value) => ({ value, label: words.states[value] })),
        ]}
        onChange={choose("state")}
      />
    </div>
  );
}

/** Downloads what the list shows. */
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

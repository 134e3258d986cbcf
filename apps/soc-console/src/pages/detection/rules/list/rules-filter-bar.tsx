import { Search } from "lucide-react";
import { useRef } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useTyped } from "../../../../app/address/use-typed.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { SelectField, TextField } from "../../../../design/field.tsx";
import { RULE_TYPES, SEVERITIES } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";

export function RulesFilterBar() {
  const words = usePhrases(rulesPhrases);
  const { search, change } = useAddress();
  const [q, setQ] = useTyped("q");
  const [tag, setTag] = useTyped("tag");
  const [source, setSource] = useTyped("source");
  const box = useRef<HTMLInputElement>(null);
  useCommands([
    { id: "rules.filter", label: words.filter, group: words.detections, keys: ["/"], run: () => box.current?.focus() },
  ]);
  return (
    <search className="rules-filter">
      <TextField
        ref={box}
        label={words.search}
        isLabelHidden
        type="search"
        placeholder={words.search}
        icon={<Search />}
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
      />
      <SelectField
        label={words.state}
        isLabelHidden
        value={search.enabled ?? ""}
        onChange={(enabled) => change({ enabled })}
        options={[
          { value: "", label: words.anyState },
          { value: "on", label: words.enabled },
          { value: "off", label: words.disabled },
        ]}
      />
      <SelectField
        label={words.severity}
        isLabelHidden
        value={search.severity ?? ""}
        onChange={(severity) => change({ severity })}
        options={[
          { value: "", label: words.anySeverity },
          ...SEVERITIES.map((value) => ({ value: value as string, label: words.severities[value] })),
        ]}
      />
      <SelectField
        label={words.type}
        isLabelHidden
        value={search.type ?? ""}
        onChange={(type) => change({ type })}
        options={[
          { value: "", label: words.anyType },
          ...RULE_TYPES.map((value) => ({ value: value as string, label: words.types[value] })),
        ]}
      />
      <TextField
        label={words.tag}
        isLabelHidden
        placeholder={words.tag}
        value={tag}
        onChange={(event) => setTag(event.currentTarget.value)}
      />
      <TextField
        label={words.source}
        isLabelHidden
        placeholder={words.source}
        value={source}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
    </search>
  );
}

import { usePhrases } from "../../../../app/language/language-context.tsx";
import { FilterLine, FilterSearch, FilterSelect, FilterText } from "../../../../app/lists/filter-line.tsx";
import { RULE_TYPES, SEVERITIES } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";

export function RulesFilterBar() {
  const words = usePhrases(rulesPhrases);
  return (
    <FilterLine>
      <FilterSearch
        label={words.search}
        command={{ id: "rules.filter", label: words.filter, group: words.detections }}
      />
      <FilterSelect
        name="enabled"
        label={words.state}
        any={words.anyState}
        options={[
          { value: "on", label: words.enabled },
          { value: "off", label: words.disabled },
        ]}
      />
      <FilterSelect
        name="severity"
        label={words.severity}
        any={words.anySeverity}
        options={SEVERITIES.map((value) => ({ value, label: words.severities[value] }))}
      />
      <FilterSelect
        name="type"
        label={words.type}
        any={words.anyType}
        options={RULE_TYPES.map((value) => ({ value, label: words.types[value] }))}
      />
      <FilterText name="tag" label={words.tag} />
      <FilterText name="source" label={words.source} />
    </FilterLine>
  );
}

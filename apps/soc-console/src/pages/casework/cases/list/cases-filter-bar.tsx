import { useAddress } from "../../../../app/address/use-address.ts";
import { useMe } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { FilterLine, FilterSearch, FilterSelect, FilterText } from "../../../../app/lists/filter-line.tsx";
import { CASE_STATUSES, SEVERITIES, usePeople } from "../cases-client.ts";
import { parseFilter, SLA_STATES } from "../cases-filter.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { listPhrases } from "../list-phrases.ts";

export function CasesFilterBar({ isBoard }: { isBoard: boolean }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const { search } = useAddress();
  const { username } = useMe();
  const people = usePeople();
  const { assignee } = parseFilter(search);
  const names = [username, ...people.map((person) => person.username).filter((name) => name !== username)];
  const assignees = assignee === "" || names.includes(assignee) ? names : [assignee, ...names];
  return (
    <FilterLine>
      <FilterSearch label={words.search} command={{ id: "cases.filter", label: words.filter, group: words.cases }} />
      {!isBoard && (
        <FilterSelect
          name="status"
          label={words.fields.status}
          any={words.openOnly}
          options={[
            { value: "any", label: words.anyStatus },
            ...CASE_STATUSES.map((value) => ({ value, label: words.statuses[value] })),
          ]}
        />
      )}
      <FilterSelect
        name="severity"
        label={words.fields.severity}
        any={words.anySeverity}
        options={[
          { value: "critical,high", label: `${words.severities.critical}, ${words.severities.high}` },
          ...SEVERITIES.map((value) => ({ value, label: words.severities[value] })),
        ]}
      />
      <FilterSelect
        name="assignee"
        label={words.fields.assignee}
        any={words.anyone}
        options={assignees.map((value) => ({ value, label: value === username ? words.mine : value }))}
      />
      <FilterSelect
        name="sla"
        label={words.sla_label}
        any={words.anySla}
        options={SLA_STATES.map((value) => ({ value, label: words.sla[value] }))}
      />
      <FilterText name="tag" label={words.tag} />
    </FilterLine>
  );
}

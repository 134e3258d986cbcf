import { Search } from "lucide-react";
import { useRef } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useTyped } from "../../../../app/address/use-typed.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMe } from "../../../../app/session/use-session.ts";
import { SelectField, TextField } from "../../../../design/field.tsx";
import { CASE_STATUSES, SEVERITIES } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { listPhrases } from "../list-phrases.ts";
import { usePeople } from "../use-cases-client.ts";
import { parseFilter, SLA_STATES } from "./cases-filter.ts";

export function CasesFilterBar({ isBoard }: { isBoard: boolean }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const { search, change } = useAddress();
  const { username } = useMe();
  const people = usePeople();
  const filter = parseFilter(search);
  const [q, setQ] = useTyped("q");
  const [tag, setTag] = useTyped("tag");
  const box = useRef<HTMLInputElement>(null);
  useCommands([
    { id: "cases.filter", label: words.filter, group: words.cases, keys: ["/"], run: () => box.current?.focus() },
  ]);
  const names = [username, ...people.map((person) => person.username).filter((name) => name !== username)];
  const assignees = filter.assignee === "" || names.includes(filter.assignee) ? names : [filter.assignee, ...names];
  return (
    <search className="cases-filter">
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
      {!isBoard && (
        <SelectField
          label={words.fields.status}
          isLabelHidden
          value={search.status ?? ""}
          onChange={(status) => change({ status })}
          options={[
            { value: "", label: words.openOnly },
            { value: "any", label: words.anyStatus },
            ...CASE_STATUSES.map((value) => ({ value, label: words.statuses[value] })),
          ]}
        />
      )}
      <SelectField
        label={words.fields.severity}
        isLabelHidden
        value={search.severity ?? ""}
        onChange={(severity) => change({ severity })}
        options={[
          { value: "", label: words.anySeverity },
          { value: "critical,high", label: `${words.severities.critical}, ${words.severities.high}` },
          ...SEVERITIES.map((value) => ({ value, label: words.severities[value] })),
        ]}
      />
      <SelectField
        label={words.fields.assignee}
        isLabelHidden
        value={filter.assignee}
        onChange={(assignee) => change({ assignee })}
        options={[
          { value: "", label: words.anyone },
          ...assignees.map((value) => ({ value, label: value === username ? words.mine : value })),
        ]}
      />
      <SelectField
        label={words.sla_label}
        isLabelHidden
        value={filter.sla ?? ""}
        onChange={(sla) => change({ sla })}
        options={[
          { value: "", label: words.anySla },
          ...SLA_STATES.map((value) => ({ value, label: words.sla[value] })),
        ]}
      />
      <TextField
        label={words.tag}
        isLabelHidden
        placeholder={words.tag}
        value={tag}
        onChange={(event) => setTag(event.currentTarget.value)}
      />
    </search>
  );
}

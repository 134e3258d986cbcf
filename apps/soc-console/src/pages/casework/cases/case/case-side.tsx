import { Link } from "../../../../app/address/link.tsx";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Markdown } from "../../../../app/text/markdown.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Checkbox, SelectField, TextField } from "../../../../design/field.tsx";
import { Facts } from "../../../../design/panel.tsx";
import { FoundInvestigations } from "../../../assistants/investigations/investigations-link.tsx";
import { CaseLink } from "../case-link.tsx";
import { casePhrases } from "../case-phrases.ts";
import { CaseRow } from "../case-row.tsx";
import { CASE_STATUSES, type CasePage, SEVERITIES, usePeople } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { EditText } from "../dialogs/edit-text.tsx";
import type { CaseEdit } from "../dialogs/use-case-edit.tsx";
import { listEntities } from "../entities.ts";

/** The facts of a case beside its tabs. Editable facts are fields. */
export function CaseSide({ page, edit }: { page: CasePage; edit: CaseEdit }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(casePhrases) };
  const time = useTime();
  const { mayWrite, reason } = useChanges();
  const { case: record, template, related_cases: related } = page;
  const entities = listEntities(page.alerts ?? []);
  const canEdit = mayWrite && reason === undefined && record.merged_into === null;
  return (
    <aside className="case-side" aria-label={words.facts}>
      {canEdit ? <EditedFacts page={page} edit={edit} /> : <ReadFacts page={page} />}
      <Facts
        items={[
          { label: words.opened, value: <span className="mono">{time.dateTime(record.created_at)}</span> },
          { label: words.changed, value: <span className="mono">{time.dateTime(record.updated_at)}</span> },
          ...(record.sla?.respond_by
            ? [{ label: words.respondBy, value: <span className="mono">{time.dateTime(record.sla.respond_by)}</span> }]
            : []),
          ...(record.sla?.resolve_by
            ? [{ label: words.resolveBy, value: <span className="mono">{time.dateTime(record.sla.resolve_by)}</span> }]
            : []),
          ...(template ? [{ label: words.template, value: <SafeText>{template.name}</SafeText> }] : []),
          ...(record.mitre_techniques.length > 0
            ? [
                {
                  label: words.fields.mitre_techniques,
                  value: <SafeText isMono>{record.mitre_techniques.join(" ")}</SafeText>,
                },
              ]
            : []),
        ]}
      />
      {(record.description !== "" || canEdit) && (
        <section className="case-side-part">
          <h2>
            {words.description}
            {canEdit && <EditText record={record} edit={edit} />}
          </h2>
          {record.description !== "" && <Markdown text={record.description} />}
        </section>
      )}
      <FoundInvestigations caseId={record.id} />
      {entities.length > 0 && (
        <section className="case-side-part">
          <h2>{words.entities}</h2>
          <ul className="case-entities">
            {entities.slice(0, 12).map(({ type, value, alerts }) => (
              <li key={`${type}:${value}`}>
                <Link to={`/entity/${type === "address" ? "ip" : type}/${encodeURIComponent(value)}`}>
                  <SafeText isMono>{value}</SafeText>
                </Link>
                <span className="cases-count">{alerts}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {record.merged_from.length > 0 && (
        <section className="case-side-part">
          <h2>{words.mergedFrom}</h2>
          <ul className="cases-plain-list">
            {record.merged_from.map((id) => (
              <li key={id}>
                <CaseLink record={{ id }} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {related && related.length > 0 && (
        <section className="case-side-part">
          <h2>{words.related}</h2>
          {related.map((other) => (
            <CaseRow key={other.id} record={other} />
          ))}
        </section>
      )}
    </aside>
  );
}

function ReadFacts({ page: { case: record } }: { page: CasePage }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(casePhrases) };
  const time = useTime();
  return (
    <Facts
      items={[
        { label: words.fields.status, value: words.statuses[record.status] },
        { label: words.fields.severity, value: words.severities[record.severity] },
        { label: words.fields.assignee, value: record.assignee ?? words.unassigned },
        { label: words.due, value: record.due_at ? time.dateTime(record.due_at) : words.noDue },
        { label: words.fields.requires_human_approval, value: record.requires_human_approval ? words.yes : words.no },
        { label: words.fields.tags, value: <SafeText>{record.tags.join(", ")}</SafeText> },
      ]}
    />
  );
}

function EditedFacts({ page: { case: record }, edit }: { page: CasePage; edit: CaseEdit }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(casePhrases) };
  const people = usePeople();
  const names = people.map(({ username }) => username);
  const assignees = record.assignee === null || names.includes(record.assignee) ? names : [record.assignee, ...names];
  const change = (patch: Parameters<CaseEdit["change"]>[1]) => void edit.change(record, patch);
  return (
    <div className="case-fields">
      <SelectField
        label={words.fields.status}
        value={record.status}
        onChange={(status) => change({ status })}
        options={CASE_STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
      />
      <SelectField
        label={words.fields.severity}
        value={record.severity}
        onChange={(severity) => change({ severity })}
        options={SEVERITIES.map((value) => ({ value, label: words.severities[value] }))}
      />
      <SelectField
        label={words.fields.assignee}
        value={record.assignee ?? ""}
        onChange={(assignee) => change({ assignee: assignee || null })}
        options={[{ value: "", label: words.unassigned }, ...assignees.map((value) => ({ value, label: value }))]}
      />
      <TextField
        key={`due-${record.due_at}`}
        label={words.due}
        type="datetime-local"
        defaultValue={record.due_at?.slice(0, 16) ?? ""}
        hint="UTC"
        onBlur={(event) => {
          const text = event.currentTarget.value;
          const due_at = text === "" ? null : `${text}:00.000Z`;
          if (due_at?.slice(0, 16) !== record.due_at?.slice(0, 16)) change({ due_at });
        }}
      />
      <TextField
        key={`tags-${record.tags.join()}`}
        label={words.fields.tags}
        placeholder={words.addTag}
        defaultValue={record.tags.join(", ")}
        onBlur={(event) => {
          const tags = [...new Set(event.currentTarget.value.split(",").map((tag) => tag.trim()))].filter(Boolean);
          if (tags.join() !== record.tags.join()) change({ tags });
        }}
      />
      <Checkbox
        label={words.needsApproval}
        checked={record.requires_human_approval}
        onChange={(requires_human_approval) => change({ requires_human_approval })}
      />
    </div>
  );
}

import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { FieldDifferences } from "../../../app/changes/record-difference.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Facts } from "../../../design/panel.tsx";
import type { AuditEntry } from "./audit-client.ts";
import { readDetails } from "./audit-details.ts";
import { auditPhrases } from "./audit-phrases.ts";
import { subjectPath } from "./subject-path.ts";

/** An entry in the pane: author, action, record, and the record before and after. */
export function AuditPane({ entry }: { entry: AuditEntry }) {
  const words = usePhrases(auditPhrases);
  const time = useTime();
  const { change } = useAddress();
  const { changes, facts } = readDetails(entry.details);
  const path = subjectPath(entry);
  return (
    <div className="audit-pane">
      <h2 className="audit-pane-title">
        <SafeText isMono>{entry.action}</SafeText>
      </h2>
      <Facts
        items={[
          { label: words.at, value: <span title={time.iso(entry.at)}>{time.dateTime(entry.at)}</span> },
          { label: words.actor, value: <SafeText>{entry.actor}</SafeText> },
          {
            label: words.subject,
            value: (
              <>
                <SafeText isMono>{entry.subject_type}</SafeText> <SafeText isMono>{entry.subject_id}</SafeText>
              </>
            ),
          },
        ]}
      />
      {path !== undefined && <Link to={path}>{words.openSubject}</Link>}
      <section aria-label={words.difference}>
        <h3 className="audit-heading">{words.difference}</h3>
        {changes.length > 0 ? <FieldDifferences differences={changes} /> : <p className="soft">{words.noDifference}</p>}
      </section>
      {facts.length > 0 && (
        <section aria-label={words.details}>
          <h3 className="audit-heading">{words.details}</h3>
          <dl className="audit-facts">
            {facts.map(({ name, value }) => (
              <div key={name}>
                <dt>
                  <SafeText isMono>{name}</SafeText>
                </dt>
                <dd>
                  <SafeText>{value}</SafeText>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <div className="audit-only">
        <span className="soft">{words.only}</span>
        <Button size="s" onClick={() => change({ actor: entry.actor }, { isStep: true })}>
          {words.onlyActor}
        </Button>
        <Button size="s" onClick={() => change({ action: entry.action }, { isStep: true })}>
          {words.onlyAction}
        </Button>
        <Button
          size="s"
          onClick={() => change({ type: entry.subject_type, subject: entry.subject_id }, { isStep: true })}
        >
          {words.onlySubject}
        </Button>
      </div>
      <p className="audit-id soft">
        {words.entry} <bdi dir="ltr">{entry.id}</bdi>
      </p>
    </div>
  );
}

import type { RecitersBody } from "@player/service/contract/library";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { type ReportGroup, reportGroups } from "./card-reports.ts";
import { libraryPhrases } from "./library-phrases.ts";

/** Enough examples to recognise the files. */
const SHOWN = 5;

export function CardReports({ reports, reports_left_off }: Pick<RecitersBody, "reports" | "reports_left_off">) {
  const language = useLanguage();
  const phrases = usePhrases(libraryPhrases);
  const count = reports.length + reports_left_off;
  if (count === 0) return null;
  return (
    <details class="panel card-reports">
      <summary>{counted(count, phrases.reports, language)}</summary>
      <div class="stack">
        <p class="row-aside">{phrases.reportsHint}</p>
        {reportGroups(reports).map((group) => (
          <Group key={group.kind} {...group} />
        ))}
      </div>
    </details>
  );
}

function Group({ kind, paths }: ReportGroup) {
  const language = useLanguage();
  const phrases = usePhrases(libraryPhrases);
  const left = paths.length - SHOWN;
  return (
    <div>
      <p>
        <strong>{phrases.reportKinds[kind]}</strong>
      </p>
      <ul class="card-report-paths">
        {paths.slice(0, SHOWN).map((path) => (
          <li key={path} dir="ltr">
            <bdi>{path}</bdi>
          </li>
        ))}
        {left > 0 && <li>{counted(left, phrases.andMore, language)}</li>}
      </ul>
    </div>
  );
}

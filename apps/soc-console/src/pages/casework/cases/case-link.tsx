import { Link } from "../../../app/address/link.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import type { Case } from "./cases-client.ts";

/** Short name of a case: the end of its id, which differs between cases of the same minute. */
export function caseName(id: string): string {
  return `C-${id.slice(-6)}`;
}

/** A link to a case, with its title if known. */
export function CaseLink({ record, className }: { record: Pick<Case, "id"> & { title?: string }; className?: string }) {
  return (
    <Link to={`/cases/${record.id}`} className={className} title={record.title && safeText(record.title)}>
      {record.title === undefined ? <bdi dir="ltr">{caseName(record.id)}</bdi> : <SafeText>{record.title}</SafeText>}
    </Link>
  );
}

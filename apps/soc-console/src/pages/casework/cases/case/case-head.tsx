import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useMe } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { Avatar } from "../../../../design/avatar.tsx";
import { Button } from "../../../../design/button.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { casePhrases } from "../case-phrases.ts";
import { CaseDue, CaseStatusSign } from "../case-signs.tsx";
import type { CasePage } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import type { CaseEdit } from "../dialogs/use-case-edit.tsx";

/** The header of a case, with its two most frequent actions. */
export function CaseHead({ page: { case: record }, edit }: { page: CasePage; edit: CaseEdit }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(casePhrases) };
  const { mayWrite, reason } = useChanges();
  const { username } = useMe();
  const mode = useMode();
  const isOver = record.status === "closed" || record.merged_into !== null;
  const canTake = mayWrite && !isOver && record.assignee !== username;
  const command = (id: string, label: string, key: string, run: () => void) => ({
    id: `case.${id}`,
    label,
    group: words.caseGroup,
    keys: [key],
    isEnabled: reason === undefined,
    reason,
    run,
  });
  const take = () => void edit.change(record, { assignee: username });
  const close = () => void edit.change(record, { status: "closed" });
  useCommands([
    ...(canTake ? [command("take", words.take, "a", take)] : []),
    ...(mayWrite && !isOver ? [command("close", words.closeCase, "e", close)] : []),
  ]);
  const disabled = { "aria-disabled": reason !== undefined, title: reason };
  return (
    <div className="case-head">
      <Badge tone={record.severity}>
        <SeveritySign severity={record.severity} label="" />
        {words.severities[record.severity]}
      </Badge>
      <CaseStatusSign status={record.status} />
      {record.assignee && <Avatar name={record.assignee} />}
      <CaseDue record={record} />
      {canTake && (
        <Button keys={["A"]} {...disabled} onClick={() => reason === undefined && take()}>
          {mode === "dry_run" ? words.takePreview : words.take}
        </Button>
      )}
      {mayWrite && !isOver && (
        <Button keys={["E"]} {...disabled} onClick={() => reason === undefined && close()}>
          {words.closeCase}
        </Button>
      )}
    </div>
  );
}

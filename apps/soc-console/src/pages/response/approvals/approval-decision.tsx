import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useApp, useMe } from "../../../app/context/app-context.ts";
import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands, useRunCommand } from "../../../app/keys/commands-context.tsx";
import { leaveField } from "../../../app/keys/leave-field.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { FailedPart } from "../../../app/page/page.tsx";
import { InputFields } from "../../../app/playbooks/input-fields.tsx";
import type { InputsForm } from "../../../app/playbooks/use-inputs.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { TextArea } from "../../../design/field.tsx";
import { Notice } from "../../../design/states.tsx";
import { findStart, mayUse, type Start } from "./approval-start.ts";
import { type Bar, findBar } from "./approval-state.ts";
import { APPROVALS, type ApprovalDetail, readPeople } from "./approvals-client.ts";
import { approvalsPhrases } from "./approvals-phrases.ts";
import { type Decision, useDecision } from "./use-decision.ts";

/** The roles with `approvals:manage`, as in docs/api/soc.md. */
const DECIDING_ROLES: ReadonlySet<string> = new Set(["admin", "manager"]);
const PEOPLE_STALE_MS = 300_000;

/** Who can decide, shown to a user who cannot. */
function Deciders({ approval }: { approval: ApprovalDetail }) {
  const words = usePhrases(approvalsPhrases);
  const { server } = useApp();
  const { policy, requesters, votes } = approval;
  const { data, error, refetch } = useQuery({
    queryKey: [APPROVALS, "people"],
    queryFn: ({ signal }) => readPeople(server, signal),
    staleTime: PEOPLE_STALE_MS,
  });
  if (error) return <FailedPart error={error} title={words.deciders} onRetry={() => void refetch()} />;
  if (!data) return null;
  const excluded = [...(policy.four_eyes ? requesters : []), ...votes.map(({ decided_by }) => decided_by)];
  const people = data.items.filter(({ username, role }) => DECIDING_ROLES.has(role) && !excluded.includes(username));
  return (
    <p className="approvals-deciders">
      {words.deciders}:{" "}
      {people.length === 0
        ? words.noDeciders
        : people.map(({ username }, at) => (
            <span key={username}>
              {at > 0 && ", "}
              <SafeText isMono>{username}</SafeText>
            </span>
          ))}
    </p>
  );
}

function Preview({ preview }: Pick<Decision, "preview">) {
  const words = usePhrases(approvalsPhrases);
  if (!preview) return null;
  return (
    <div className="approvals-preview" role="status">
      <p className="approvals-preview-title">{words.preview}</p>
      <p>
        {preview.kind === "start"
          ? words.previewStart
          : fill(words.previewText, { status: words.statuses[preview.status] })}
      </p>
    </div>
  );
}

/** Enter does not press a focused button: a decision needs a chord or a click. */
function refuseEnter(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

function leaveOnEscape(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  event.preventDefault();
  leaveField(event.currentTarget);
}

interface DecisionFormProps {
  isSeen: boolean;
  decision: Decision;
  form: InputsForm;
}

function DecisionForm({ isSeen, decision, form }: DecisionFormProps) {
  const words = usePhrases(approvalsPhrases);
  const mode = useMode();
  const run = useRunCommand();
  const [reason, setReason] = useState("");
  const isPreview = mode === "dry_run";
  const isDummy = mode === "dummy";
  const { isBusy, decide } = decision;
  const why = isDummy ? words.dummy : isSeen ? undefined : words.look;
  const commands = useMemo(() => {
    const build = (id: string, label: string, key: string, approved: boolean): Command => ({
      id,
      label,
      group: words.group,
      keys: [key],
      isEnabled: why === undefined && !isBusy,
      reason: why,
      isInStatusLine: true,
      run: () => {
        const chosen = approved ? form.read() : {};
        if (chosen) decide({ approved, reason: reason.trim(), chosen });
      },
    });
    return {
      reject: build("approvals.reject", isPreview ? words.previewReject : words.reject, "⇧R", false),
      approve: build("approvals.approve", isPreview ? words.previewApprove : words.approve, "⇧Y", true),
    };
  }, [words, why, isBusy, isPreview, reason, form, decide]);
  useCommands(useMemo(() => [commands.approve, commands.reject], [commands]));
  const press = (command: Command) => ({
    ...commandKeys(command),
    "aria-disabled": command.isEnabled === false,
    onKeyDown: refuseEnter,
    onClick: () => run(command),
  });
  return (
    <div className="approvals-decision">
      <TextArea
        label={words.reason}
        hint={words.reasonHint}
        rows={1}
        maxLength={5000}
        value={reason}
        dir="auto"
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={leaveOnEscape}
      />
      <div className="approvals-ways">
        <p className="approvals-look" role="status">
          {why}
        </p>
        <Button kind="danger" {...press(commands.reject)}>
          {commands.reject.label}
        </Button>
        <Button kind="primary" isBusy={isBusy} {...press(commands.approve)}>
          {commands.approve.label}
        </Button>
      </div>
    </div>
  );
}

interface StartPartProps extends Pick<DecisionFormProps, "decision" | "form"> {
  approval: ApprovalDetail;
  start: Start | undefined;
}

/** The requester uses the approval; others see who can. */
function StartPart({ approval, start, decision, form }: StartPartProps) {
  const words = usePhrases(approvalsPhrases);
  const mode = useMode();
  const command: Command | undefined = useMemo(
    () =>
      start && {
        id: "approvals.start",
        label: mode === "dry_run" ? words.previewStartLabel : words.start,
        group: words.group,
        keys: ["⇧S"],
        isEnabled: mode !== "dummy",
        reason: mode === "dummy" ? words.dummy : undefined,
        isInStatusLine: true,
        run: () => {
          const chosen = form.read();
          if (chosen) decision.start(start, chosen);
        },
      },
    [start, mode, words, form, decision],
  );
  useCommands(useMemo(() => (command ? [command] : []), [command]));
  if (!findStart(approval)) return <Notice tone="ok">{words.goesOn}</Notice>;
  if (!command)
    return <Notice tone="ok">{fill(words.waitsForStart, { name: isolated(approval.requested_by) })}</Notice>;
  return (
    <Notice tone="ok" action={<CommandButton kind="primary" command={command} isBusy={decision.isBusy} />}>
      {words.startText}
    </Notice>
  );
}

function BarNotice({ bar, approval }: { bar: Exclude<Bar, "decided">; approval: ApprovalDetail }) {
  const words = usePhrases(approvalsPhrases);
  return (
    <div className="approvals-bar">
      <Notice tone={bar === "expired" ? "plain" : "waiting"}>{words.bars[bar]}</Notice>
      {bar !== "expired" && <Deciders approval={approval} />}
    </div>
  );
}

/** What the user can do with an approval now. */
export interface Ways {
  /** Why the user cannot decide; undefined if the user can. */
  bar: Bar | undefined;
  /** Approved, but not used yet. */
  isStartable: boolean;
  /** How the user starts it; undefined if the user cannot. */
  start: Start | undefined;
}

export function useWays(approval: ApprovalDetail | undefined, mayDecide: boolean, now: Date): Ways | undefined {
  const { username, permissions } = useMe();
  if (!approval) return undefined;
  const { status, execution_id, expires_at } = approval;
  const isStartable = status === "approved" && execution_id === null && now < new Date(expires_at);
  const start = findStart(approval);
  const mayStart =
    isStartable && mayUse(approval, username) && start?.needs.every((need) => permissions.includes(need)) === true;
  return { bar: findBar(approval, { username, mayDecide }, now), isStartable, start: mayStart ? start : undefined };
}

/** The missing inputs, for users who can set them now. */
export function MissingInputs({ form, ways: { bar, start } }: { form: InputsForm; ways: Ways }) {
  const words = usePhrases(approvalsPhrases);
  const id = useId();
  if (form.inputs.length === 0 || (bar !== undefined && !start)) return null;
  return (
    <fieldset className="approvals-inputs" aria-describedby={id}>
      <legend className="approvals-heading">{words.missing}</legend>
      <p id={id} className="soft">
        {start ? words.setAtStart : words.setAtDecision}
      </p>
      <InputFields form={form} onKeyDown={leaveOnEscape} />
    </fieldset>
  );
}

export interface ApprovalDecisionProps {
  approval: ApprovalDetail;
  ways: Ways;
  form: InputsForm;
  /** The effect was visible long enough. */
  isSeen: boolean;
}

/** Decides an approval, or uses it. */
export function ApprovalDecision({ approval, ways, form, isSeen }: ApprovalDecisionProps) {
  const { bar, isStartable, start } = ways;
  const decision = useDecision(approval.id, form.refuse);
  return (
    <div className="approvals-foot">
      {bar === undefined && <DecisionForm isSeen={isSeen} decision={decision} form={form} />}
      {bar !== undefined && bar !== "decided" && <BarNotice bar={bar} approval={approval} />}
      {isStartable && <StartPart approval={approval} start={start} decision={decision} form={form} />}
      <Preview preview={decision.preview} />
      {decision.troubleWords && (
        <div role="alert">
          <Notice tone="failed">{decision.troubleWords}</Notice>
        </div>
      )}
    </div>
  );
}

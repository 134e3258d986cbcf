import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useMemo, useState } from "react";
import { useApp } from "../../../app/app-context.ts";
import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands, useRunCommand } from "../../../app/keys/commands-context.tsx";
import { leaveField } from "../../../app/keys/leave-field.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { fill, isolated } from "../../../app/language/phrases.ts";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useMe } from "../../../app/session/use-session.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { TextArea } from "../../../design/field.tsx";
import { Notice } from "../../../design/states.tsx";
import { findStart } from "./approval-start.ts";
import { type Bar, findBar } from "./approval-state.ts";
import { APPROVALS, type ApprovalDetail, readPeople } from "./approvals-client.ts";
import { approvalsPhrases } from "./approvals-phrases.ts";
import { type Decision, useDecision } from "./use-decision.ts";

/** The roles with `approvals:manage`, as in docs/api/soc.md. */
const DECIDING_ROLES: ReadonlySet<string> = new Set(["admin", "manager"]);
const PEOPLE_STALE_MS = 300_000;

/** Who can decide, for a user who cannot. */
function Deciders({ approval }: { approval: ApprovalDetail }) {
  const words = usePhrases(approvalsPhrases);
  const { server } = useApp();
  const { policy, requesters, votes } = approval;
  const { data } = useQuery({
    queryKey: [APPROVALS, "people"],
    queryFn: ({ signal }) => readPeople(server, signal),
    staleTime: PEOPLE_STALE_MS,
  });
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

/** A focused button is not pressed by Enter: a decision is a chord or a click. */
function refuseEnter(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

function DecisionForm({ isSeen, decision }: { isSeen: boolean; decision: Decision }) {
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
      run: () => decide(approved, reason.trim()),
    });
    return {
      reject: build("approvals.reject", isPreview ? words.previewReject : words.reject, "⇧R", false),
      approve: build("approvals.approve", isPreview ? words.previewApprove : words.approve, "⇧Y", true),
    };
  }, [words, why, isBusy, isPreview, reason, decide]);
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
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          leaveField(event.currentTarget);
        }}
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

/** The requester uses what was approved; others see who can. */
function StartPart({ approval, decision }: { approval: ApprovalDetail; decision: Decision }) {
  const words = usePhrases(approvalsPhrases);
  const mode = useMode();
  const { username, permissions } = useMe();
  const run = useRunCommand();
  const start = findStart(approval);
  const isOwn = approval.requested_by === username;
  const mayStart = isOwn && start?.needs.every((permission) => permissions.includes(permission)) === true;
  const command: Command | undefined = useMemo(
    () =>
      mayStart && start
        ? {
            id: "approvals.start",
            label: mode === "dry_run" ? words.previewStartLabel : words.start,
            group: words.group,
            keys: ["⇧S"],
            isEnabled: mode !== "dummy",
            reason: mode === "dummy" ? words.dummy : undefined,
            isInStatusLine: true,
            run: () => decision.start(start),
          }
        : undefined,
    [mayStart, start, mode, words, decision],
  );
  useCommands(useMemo(() => (command ? [command] : []), [command]));
  if (!start) return <Notice tone="ok">{words.goesOn}</Notice>;
  if (!command)
    return <Notice tone="ok">{fill(words.waitsForStart, { name: isolated(approval.requested_by) })}</Notice>;
  return (
    <Notice
      tone="ok"
      action={
        <Button
          kind="primary"
          isBusy={decision.isBusy}
          disabled={command.isEnabled === false}
          title={command.reason}
          {...commandKeys(command)}
          onClick={() => run(command)}
        >
          {command.label}
        </Button>
      }
    >
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

export interface ApprovalDecisionProps {
  approval: ApprovalDetail;
  mayDecide: boolean;
  /** The effect was in sight for long enough. */
  isSeen: boolean;
  now: Date;
}

/** What the user can do about it now. */
export function ApprovalDecision({ approval, mayDecide, isSeen, now }: ApprovalDecisionProps) {
  const { username } = useMe();
  const decision = useDecision(approval.id);
  const bar = findBar(approval, { username, mayDecide }, now);
  const isStartable =
    approval.status === "approved" && approval.execution_id === null && now < new Date(approval.expires_at);
  return (
    <div className="approvals-foot">
      {bar === undefined && <DecisionForm isSeen={isSeen} decision={decision} />}
      {bar !== undefined && bar !== "decided" && <BarNotice bar={bar} approval={approval} />}
      {isStartable && <StartPart approval={approval} decision={decision} />}
      <Preview preview={decision.preview} />
      {decision.troubleWords && (
        <div role="alert">
          <Notice tone="failed">{decision.troubleWords}</Notice>
        </div>
      )}
    </div>
  );
}

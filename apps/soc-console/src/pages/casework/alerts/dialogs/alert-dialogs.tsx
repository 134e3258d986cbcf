import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useMe } from "../../../../app/context/app-context.ts";
import { SuppressDialog } from "../../../../app/hide/suppress-dialog.tsx";
import { fill, isolated, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { isPreview } from "../../../../app/server/server.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { type DialogRequest, listPivots, type RequestChange, type Target } from "../alert-item.ts";
import type { Alert, AlertsClient } from "../alerts-client.ts";
import { alertsPhrases } from "../alerts-phrases.ts";
import type { AlertActions } from "../use-alert-actions.ts";
import { useFailureNotice } from "../use-failure-notice.ts";
import { dialogPhrases } from "./alert-dialogs-phrases.ts";
import { ChoiceDialog } from "./choice-dialog.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { PromoteDialog } from "./promote-dialog.tsx";

export interface DialogDeps {
  client: AlertsClient;
  actions: AlertActions;
  request: RequestChange;
  onPivot: (field: string, value: string, isExclude: boolean) => void;
  /** Called after a change of the whole selection. */
  onBulkDone: () => void;
  /** The alert now belongs to a case. */
  onLinked: (ids: readonly string[]) => void;
  onClose: () => void;
}

/** The dialog that a command opened. */
export function AlertDialogs({ open, ...deps }: DialogDeps & { open: DialogRequest | undefined }) {
  if (!open) return null;
  const { client, onClose } = deps;
  switch (open.kind) {
    case "assign":
      return <AssignDialog {...deps} target={open.target} />;
    case "severity":
      return <SeverityDialog {...deps} target={open.target} />;
    case "link":
      return <LinkDialog {...deps} target={open.target} />;
    case "promote":
      return <PromoteDialog client={client} alert={open.alert} onClose={onClose} onLinked={deps.onLinked} />;
    case "suppress":
      return <SuppressAlert alert={open.alert} onClose={onClose} />;
    case "pivot":
      return <PivotDialog {...deps} {...open} />;
    case "confirm":
      return (
        <ConfirmDialog
          {...open}
          {...deps}
          onDone={() => {
            onClose();
            deps.onBulkDone();
          }}
        />
      );
    default:
      return open satisfies never;
  }
}

function AssignDialog({ client, request, target, onClose }: DialogDeps & { target: Target }) {
  const words = usePhrases(dialogPhrases);
  const { username: me } = useMe();
  const [q, setQ] = useState("");
  const { data } = useQuery({
    queryKey: ["directory", "list", q],
    queryFn: ({ signal }) => client.findUsers(q, signal),
    placeholderData: keepPreviousData,
  });
  const assign = (assignee: string | null) => {
    onClose();
    const label = assignee === null ? words.unassigned : fill(words.assigned, { name: isolated(assignee) });
    void request({ assignee }, label, assignee !== me && assignee !== null, target);
  };
  const users = (data?.items ?? []).map(({ username, role }) => ({
    key: username,
    label: <SafeText>{username}</SafeText>,
    detail: username === me ? words.me : role,
    onChoose: () => assign(username),
  }));
  const none = q === "" ? [{ key: "", label: words.none, onChoose: () => assign(null) }] : [];
  return (
    <ChoiceDialog
      title={words.assignTitle}
      choices={[...users, ...none]}
      empty={words.noUser}
      search={{ label: words.assignSearch, value: q, onChange: setQ }}
      onClose={onClose}
    />
  );
}

const SEVERITIES: readonly Alert["severity"][] = ["critical", "high", "medium", "low", "info"];

function SeverityDialog({ request, target, onClose }: DialogDeps & { target: Target }) {
  const words = usePhrases(dialogPhrases);
  const states = usePhrases(alertsPhrases);
  return (
    <ChoiceDialog
      title={words.severityTitle}
      choices={SEVERITIES.map((severity) => ({
        key: severity,
        label: (
          <>
            <SeveritySign severity={severity} label="" /> {states.severities[severity]}
          </>
        ),
        onChoose: () => {
          onClose();
          void request(
            { severity },
            fill(words.severityDone, { severity: states.severities[severity] }),
            false,
            target,
          );
        },
      }))}
      onClose={onClose}
    />
  );
}

function LinkDialog({ client, target, onClose, onLinked }: DialogDeps & { target: Target }) {
  const words = usePhrases(dialogPhrases);
  const states = usePhrases(alertsPhrases);
  const { count } = useNumbers();
  const { notify } = useNotices();
  const { go } = useAddress();
  const fail = useFailureNotice();
  const [q, setQ] = useState("");
  const { data } = useQuery({
    queryKey: ["cases", "find", q],
    queryFn: ({ signal }) => client.findCases(q, signal),
    placeholderData: keepPreviousData,
  });
  const link = async (caseId: string) => {
    onClose();
    const ids = target.kind === "one" ? [target.alert.id] : target.kind === "ids" ? target.ids : [];
    try {
      const body = await client.linkToCase(caseId, ids);
      if (isPreview(body)) return void notify({ tone: "waiting", text: words.previewed });
      onLinked(ids);
      const moved = body.moved > 0 ? ` · ${count(body.moved, words.moved)}` : "";
      const action = { label: words.openCase, run: () => go(`/cases/${caseId}/alerts`) };
      notify({ tone: "ok", text: `${count(body.linked, words.linked)}${moved}`, action });
    } catch (error) {
      fail(error);
    }
  };
  return (
    <ChoiceDialog
      title={words.linkTitle}
      empty={words.noCase}
      search={{ label: words.linkSearch, value: q, onChange: setQ }}
      choices={(data?.items ?? []).map(({ id, title, severity }) => ({
        key: id,
        label: (
          <>
            <SeveritySign severity={severity} label={states.severities[severity]} /> <SafeText>{title}</SafeText>
          </>
        ),
        onChoose: () => void link(id),
      }))}
      onClose={onClose}
    />
  );
}

function PivotDialog({ alert, isExclude, onPivot, onClose }: DialogDeps & { alert: Alert; isExclude: boolean }) {
  const words = usePhrases(dialogPhrases);
  return (
    <ChoiceDialog
      title={isExclude ? words.excludeTitle : words.includeTitle}
      choices={listPivots(alert).map(({ field, value }) => ({
        key: field,
        label: (
          <bdi dir="ltr">
            {field}: <SafeText isMono>{value}</SafeText>
          </bdi>
        ),
        onChoose: () => {
          onClose();
          onPivot(field, value, isExclude);
        },
      }))}
      onClose={onClose}
    />
  );
}

/** Hides later matches of the alert's rule with the same values. */
function SuppressAlert({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const words = usePhrases(dialogPhrases);
  const { host, user, group } = alert;
  const criteria = group && Object.keys(group).length > 0 ? group : { ...(host && { host }), ...(user && { user }) };
  const name = fill(words.name, { title: alert.title });
  return <SuppressDialog ruleId={alert.rule_id ?? ""} name={name} criteria={criteria} onClose={onClose} />;
}

import { useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useMay, useMe } from "../../../app/context/app-context.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { isPreview } from "../../../app/server/server.ts";
import type { DialogRequest, RequestChange, Target } from "./alert-item.ts";
import type { Alert, AlertPatch, AlertsClient } from "./alerts-client.ts";
import { type AlertsPhrases, alertsPhrases } from "./alerts-phrases.ts";
import type { AlertActions } from "./use-alert-actions.ts";
import { useFailureNotice } from "./use-failure-notice.ts";

export type Verdict = NonNullable<Alert["verdict"]>;

/** The status that follows from a verdict. */
const VERDICT_PATCHES: Readonly<Record<Verdict, AlertPatch>> = {
  true_positive: { status: "resolved", verdict: "true_positive" },
  false_positive: { status: "false_positive", verdict: "false_positive" },
  needs_tuning: { status: "closed", verdict: "needs_tuning" },
};
const VERDICTS: readonly Verdict[] = ["true_positive", "false_positive", "needs_tuning"];

export interface ActionCommandDeps {
  client: AlertsClient;
  actions: AlertActions;
  /** The selected alerts, or the one under the cursor. */
  readTarget: () => Target | undefined;
  target: Target | undefined;
  openDialog: (request: DialogRequest) => void;
  /** Called after a decision. */
  onDecided: () => void;
}

/** Applies a change at once, or asks for confirmation if it concerns a whole filter. */
export function useRequestChange({ actions, readTarget, openDialog, onDecided }: ActionCommandDeps): RequestChange {
  return async (patch, label, isDecision, given) => {
    const target = given ?? readTarget();
    if (!target) return;
    if (target.kind === "filter") return openDialog({ kind: "confirm", target, patch, label });
    const changing = actions.change(target, patch, label);
    if (isDecision) onDecided();
    await changing;
  };
}

interface Availability {
  isEnabled: boolean;
  reason: string | undefined;
}

function findAvailability(isDummy: boolean, reason: string | false | undefined, words: AlertsPhrases): Availability {
  if (isDummy) return { isEnabled: false, reason: words.inDummy };
  return { isEnabled: !reason, reason: reason || undefined };
}

/** Commands on alerts, for the list and the alert page. Commands that the user may not run are absent. */
export function useActionCommands(deps: ActionCommandDeps): Command[] {
  const { client, actions, readTarget, target, openDialog } = deps;
  const words = usePhrases(alertsPhrases);
  const mode = useMode();
  const { username } = useMe();
  const { notify } = useNotices();
  const { go } = useAddress();
  const fail = useFailureNotice();
  const request = useRequestChange(deps);
  const may = {
    write: useMay("alerts:write"),
    promote: useMay("alerts:write", "cases:write"),
    investigate: useMay("investigation:trigger"),
    suppress: useMay("detections:read", "detections:write", "siem:search"),
  };
  const one = target?.kind === "one" ? target.alert : undefined;
  const kind = target?.kind;

  return useMemo(() => {
    const { commands } = words;
    const isDummy = mode === "dummy";
    const verb = (text: string) => (mode === "dry_run" ? fill(commands.previewVerb, { verb: text }) : text);
    const base = { group: commands.act, isEnabled: true } as const;
    const ready = findAvailability(isDummy, false, words);
    const forOne = findAvailability(isDummy, kind !== "one" && words.oneOnly, words);
    const forIds = findAvailability(isDummy, kind === "filter" && words.idsOnly, words);
    const forRule = findAvailability(isDummy, kind !== "one" ? words.oneOnly : !one?.rule_id && words.noRule, words);
    const open = (name: "assign" | "severity" | "link") => () => {
      const chosen = readTarget();
      if (chosen) openDialog({ kind: name, target: chosen });
    };
    const investigate = async () => {
      if (!one) return;
      try {
        const body = await client.investigate(one);
        if (isPreview(body))
          return void notify({ tone: "waiting", text: fill(words.preview, { label: commands.investigate }) });
        const run = () => go(`/agents/investigations/${body.id}`);
        notify({ tone: "ok", text: words.investigated, action: { label: words.openIt, run } });
      } catch (error) {
        fail(error);
      }
    };
    const take = () => {
      const isNew = one === undefined || one.status === "new" || one.status === "triaged";
      void request({ assignee: username, ...(isNew && { status: "investigating" }) }, commands.take, false);
    };
    const list: (Command | false)[] = [
      may.write && {
        ...base,
        ...ready,
        id: "alerts.take",
        label: verb(commands.take),
        keys: ["a"],
        run: take,
        isInStatusLine: true,
      },
      may.write && {
        ...base,
        ...ready,
        id: "alerts.assign",
        label: verb(commands.assign),
        keys: ["⇧A"],
        run: open("assign"),
      },
      ...VERDICTS.map(
        (verdict, index) =>
          may.write && {
            ...base,
            ...ready,
            id: `alerts.resolve-${verdict}`,
            label: verb(commands.verdicts[verdict]),
            keys: [`e ${index + 1}`],
            run: () => void request(VERDICT_PATCHES[verdict], commands.verdicts[verdict], true),
          },
      ),
      may.write && {
        ...base,
        ...ready,
        id: "alerts.severity",
        label: verb(commands.severity),
        keys: ["!"],
        run: open("severity"),
      },
      may.promote && {
        ...base,
        ...forOne,
        id: "alerts.promote",
        label: verb(commands.promote),
        keys: ["p"],
        isInStatusLine: true,
        run: () => one && openDialog({ kind: "promote", alert: one }),
      },
      may.promote && {
        ...base,
        ...forIds,
        id: "alerts.link",
        label: verb(commands.link),
        keys: ["l"],
        run: open("link"),
      },
      may.investigate && {
        ...base,
        ...forOne,
        id: "alerts.investigate",
        label: verb(commands.investigate),
        keys: ["i"],
        run: investigate,
      },
      may.suppress && {
        ...base,
        ...forRule,
        id: "alerts.suppress",
        label: verb(commands.suppress),
        keys: ["⇧S"],
        run: () => one && openDialog({ kind: "suppress", alert: one }),
      },
      may.write && { ...base, id: "alerts.undo", label: commands.undo, keys: ["mod+z"], run: actions.undo },
    ];
    return list.filter((command): command is Command => command !== false);
  }, [
    words,
    mode,
    kind,
    one,
    may.write,
    may.promote,
    may.investigate,
    may.suppress,
    client,
    actions,
    readTarget,
    openDialog,
    request,
    username,
    notify,
    go,
    fail,
  ]);
}

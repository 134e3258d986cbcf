import { ChevronLeft } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { ChangesProvider, useChanges } from "../../../../app/changes/use-changes.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { FailedPart, Page } from "../../../../app/page/page.tsx";
import type { Playbook } from "../../../../app/playbooks/playbooks-client.ts";
import { RunDialog } from "../../../../app/playbooks/run-dialog.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { Badge } from "../../../../design/chip.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { AutomationsPart } from "../automations/automations-part.tsx";
import { EnabledSign, useGateWords } from "../playbook-row.tsx";
import { PlaybookView } from "../playbook-view.tsx";
import { PLAYBOOK_TABS, type PlaybookTab, playbooksPhrases } from "../playbooks-phrases.ts";
import { usePlaybook, usePlaybooksClient } from "../use-playbook.ts";
import "../playbooks.css";

const EditTab = lazy(async () => ({ default: (await import("../edit/edit-tab.tsx")).EditTab }));
const VersionsTab = lazy(async () => ({ default: (await import("../versions/versions-tab.tsx")).VersionsTab }));

export function PlaybookPage() {
  const { params } = useAddress();
  const id = params.id ?? "";
  return (
    <ChangesProvider needs="soar:manage" key={id}>
      <OnePlaybook id={id} />
    </ChangesProvider>
  );
}

function OnePlaybook({ id }: { id: string }) {
  const words = usePhrases(playbooksPhrases);
  const { params, go } = useAddress();
  const { mayWrite } = useChanges();
  const { data, error, refetch } = usePlaybook(id);
  const tabs = PLAYBOOK_TABS.filter((name) => name !== "edit" || mayWrite);
  const tab = tabs.find((name) => name === params.tab) ?? "view";
  useCommands([
    ...tabs.map((name, at) => ({
      id: `playbook.tab.${name}`,
      label: words.tabs[name],
      group: words.playbook,
      keys: [String(at + 1)],
      run: () => go(`/playbooks/${id}/${name}`),
    })),
    { id: "playbook.back", label: words.back, group: words.playbook, keys: ["u"], run: () => go("/playbooks") },
  ]);
  const back = (
    <Link to="/playbooks" className="playbooks-back" title={words.back}>
      <ChevronLeft aria-hidden="true" />
      <bdi dir="ltr">{id}</bdi>
    </Link>
  );
  const isNew = error instanceof ApiError && error.status === 404 && tab === "edit";
  if (!data && !isNew) {
    return (
      <Page title={words.playbook} back={back}>
        {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />}
      </Page>
    );
  }
  const playbook = data?.body;
  return (
    <Page
      title={playbook ? safeText(playbook.name) : words.newPlaybook}
      back={back}
      isFull
      tabs={playbook && <PlaybookSigns playbook={playbook} />}
      tools={playbook && <PlaybookTools playbook={playbook} />}
    >
      {playbook && (
        <TabLinks
          label={words.tabsLabel}
          items={tabs.map((name) => ({
            label: words.tabs[name],
            count: name === "versions" ? playbook.version : undefined,
            href: `/playbooks/${id}/${name}`,
            isCurrent: name === tab,
            onSelect: () => go(`/playbooks/${id}/${name}`),
          }))}
        />
      )}
      <Suspense fallback={<Skeleton rows={8} />}>
        {playbook && tab !== "edit" ? (
          <CurrentTab tab={tab} playbook={playbook} etag={data?.etag} />
        ) : (
          <EditTab id={id} playbook={playbook} etag={data?.etag} />
        )}
      </Suspense>
    </Page>
  );
}

interface CurrentTabProps {
  tab: Exclude<PlaybookTab, "edit">;
  playbook: Playbook;
  etag: string | undefined;
}

function CurrentTab({ tab, playbook, etag }: CurrentTabProps) {
  switch (tab) {
    case "view":
      return <PlaybookView playbook={playbook} />;
    case "versions":
      return <VersionsTab playbook={playbook} etag={etag} />;
    case "automations":
      return <AutomationsPart playbookId={playbook.id} />;
    default:
      return tab satisfies never;
  }
}

function PlaybookSigns({ playbook }: { playbook: Playbook }) {
  const gate = useGateWords(playbook);
  return (
    <>
      <EnabledSign isEnabled={playbook.enabled} />
      <Badge tone={playbook.critical ? "waiting" : "plain"}>{gate}</Badge>
    </>
  );
}

/** Buttons to enable, disable and run the playbook. */
function PlaybookTools({ playbook }: { playbook: Playbook }) {
  const words = usePhrases(playbooksPhrases);
  const mode = useMode();
  const client = usePlaybooksClient();
  const { refetch } = usePlaybook(playbook.id);
  const { mayWrite, reason, send } = useChanges();
  const mayRun = useMay("soar:execute");
  const [isRunning, setIsRunning] = useState(false);
  const toggle = async () => {
    const done = await send(() => client.toggle(playbook.id), { before: playbook });
    if (done) await refetch();
  };
  const whyNot = reason ?? (playbook.enabled ? undefined : words.disabledReason);
  const command = (id: string, label: string, key: string, why: string | undefined, run: Command["run"]): Command => ({
    id: `playbook.${id}`,
    label,
    group: words.playbook,
    keys: [key],
    isEnabled: why === undefined,
    reason: why,
    run,
  });
  const change = command("toggle", playbook.enabled ? words.disable : words.enable, "⇧E", reason, toggle);
  const verb = mode === "dry_run" ? words.previewRun : words.run;
  const run = command("run", verb, "mod+Enter", whyNot, () => setIsRunning(true));
  useCommands([...(mayWrite ? [change] : []), ...(mayRun ? [{ ...run, isInStatusLine: true }] : [])]);
  return (
    <>
      {mayWrite && <CommandButton command={change} />}
      {mayRun && <CommandButton kind="primary" command={run} />}
      {isRunning && <RunDialog playbook={playbook} onClose={() => setIsRunning(false)} onBegun={() => undefined} />}
    </>
  );
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { TextDifference } from "../../../../app/changes/text-difference.tsx";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { type Playbook, playbookKeys } from "../../../../app/playbooks/playbooks-client.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Checkbox } from "../../../../design/field.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { type PlaybookVersion, toDefinition } from "../playbooks-client.ts";
import { playbooksPhrases } from "../playbooks-phrases.ts";
import { usePlaybooksClient } from "../use-playbook.ts";
import { formatYaml } from "./format-yaml.ts";

/** Every version with its changes, and a button to restore it. */
export function VersionsTab({ playbook, etag }: { playbook: Playbook; etag: string | undefined }) {
  const client = usePlaybooksClient();
  const { data, error, refetch } = useQuery({
    queryKey: playbookKeys.one(playbook.id, "versions", String(playbook.version)),
    queryFn: ({ signal }) => client.versions(playbook.id, signal),
  });
  if (!data) return error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={6} />;
  return <Versions playbook={playbook} etag={etag} versions={data.items} />;
}

interface VersionsProps {
  playbook: Playbook;
  etag: string | undefined;
  versions: readonly PlaybookVersion[];
}

function Versions({ playbook, etag, versions }: VersionsProps) {
  const words = usePhrases(playbooksPhrases);
  const time = useTime();
  const [chosen, setChosen] = useState<number>();
  const at = Math.max(
    0,
    versions.findIndex(({ version }) => version === chosen),
  );
  const current = versions[at];
  const move = (by: number) => setChosen(versions[Math.max(0, Math.min(versions.length - 1, at + by))]?.version);
  const key = (id: string, chord: string, by: number) => ({
    id: `playbook.${id}`,
    label: by > 0 ? words.moveVersion : words.versionBefore,
    group: words.playbook,
    keys: [chord],
    isHidden: true,
    isRepeatable: true,
    isInStatusLine: by > 0,
    run: () => move(by),
  });
  useCommands([key("next-version", "j", 1), key("previous-version", "k", -1)]);
  return (
    <div className="playbooks-versions">
      <ol className="playbooks-version-list" aria-label={words.tabs.versions}>
        {versions.map(({ version, changed_by, changed_at }) => (
          <li key={version}>
            <button
              type="button"
              aria-current={version === current?.version ? "true" : undefined}
              onClick={() => setChosen(version)}
            >
              <strong>{fill(words.versionNumber, { version })}</strong> <SafeText>{changed_by}</SafeText>
              <span className="mono soft">{time.dateTime(changed_at)}</span>
            </button>
          </li>
        ))}
      </ol>
      {current && (
        <OneVersion playbook={playbook} etag={etag} current={current} former={versions[at + 1]} key={current.id} />
      )}
    </div>
  );
}

interface OneVersionProps {
  playbook: Playbook;
  etag: string | undefined;
  current: PlaybookVersion;
  former: PlaybookVersion | undefined;
}

const write = (playbook: Playbook) => formatYaml(toDefinition(playbook)).trimEnd();

function OneVersion({ playbook, etag, current, former }: OneVersionProps) {
  const words = usePhrases(playbooksPhrases);
  const [isAgainstNow, setIsAgainstNow] = useState(false);
  const isPresent = current.version === playbook.version;
  const before = isAgainstNow ? playbook : former?.playbook;
  return (
    <section className="playbooks-version" aria-label={fill(words.versionNumber, { version: current.version })}>
      <div className="playbooks-line">
        {!isPresent && <Checkbox label={words.againstNow} checked={isAgainstNow} onChange={setIsAgainstNow} />}
        {!isPresent && <Restore playbook={playbook} etag={etag} version={current} />}
      </div>
      {before ? (
        <TextDifference before={write(before)} after={write(current.playbook)} />
      ) : (
        <>
          <p className="soft">{words.firstVersion}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key. */}
          <pre className="step-value" dir="ltr" tabIndex={0}>
            <SafeText isMono>{write(current.playbook)}</SafeText>
          </pre>
        </>
      )}
    </section>
  );
}

function Restore({
  playbook,
  etag,
  version,
}: {
  playbook: Playbook;
  etag: string | undefined;
  version: PlaybookVersion;
}) {
  const words = usePhrases(playbooksPhrases);
  const mode = useMode();
  const client = usePlaybooksClient();
  const queries = useQueryClient();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const command: Command = {
    id: "playbook.restore",
    label: fill(mode === "dry_run" ? words.previewRestore : words.restore, { version: version.version }),
    group: words.playbook,
    keys: ["⇧R"],
    isEnabled: reason === undefined,
    reason,
    isInStatusLine: true,
    run: async () => {
      const saved = await send(() => client.save(playbook.id, toDefinition(version.playbook), etag), {
        before: playbook,
      });
      if (!saved) return;
      notify({ tone: "ok", text: fill(words.saved, { version: saved.version }) });
      await queries.invalidateQueries({ queryKey: playbookKeys.all });
    },
  };
  useCommands(mayWrite ? [command] : []);
  if (!mayWrite) return null;
  return <CommandButton command={command} />;
}

import { type SubmitEvent, useId, useState } from "react";
import { ConfirmChange } from "../../../app/changes/confirm-change.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import type { ApiError } from "../../../app/server/api-error.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { TextField } from "../../../design/field.tsx";
import { Facts } from "../../../design/panel.tsx";
import { type Source, updateSource } from "./sources-client.ts";
import { sourcesPhrases } from "./sources-phrases.ts";

type Settings = Pick<Source, "source" | "watch" | "timezone">;
type SaveSettings = (
  changes: { watch?: boolean; timezone?: string | null },
  onRefused?: (error: ApiError) => boolean,
) => Promise<boolean>;

/** Silence detection, and the zone of times without an offset. */
export function SourceSettingsPanel({
  source,
  onChanged,
}: {
  source: Settings;
  onChanged: (changed: Settings) => void;
}) {
  const words = usePhrases(sourcesPhrases);
  const { server } = useApp();
  const { send, mayWrite, reason } = useChanges();
  const { notify } = useNotices();
  const [asked, setAsked] = useState<"watch" | "zone">();
  const close = () => setAsked(undefined);
  const save: SaveSettings = async (changes, onRefused) => {
    const { watch, timezone } = source;
    const before = { source: source.source, watch, timezone };
    const changed = await send(() => updateSource(server, source.source, changes), { before, onRefused });
    if (!changed) return false;
    notify({ tone: "ok", text: words.changed });
    onChanged(changed);
    return true;
  };
  const isFixed = { disabled: reason !== undefined, title: reason };
  return (
    <>
      <Facts
        items={[
          {
            label: words.fields.watch,
            value: (
              <div className="sources-setting">
                <span>{source.watch ? words.watchOn : words.watchOff}</span>
                {mayWrite && (
                  <Button
                    size="s"
                    {...isFixed}
                    onClick={() => (source.watch ? setAsked("watch") : void save({ watch: true }))}
                  >
                    {source.watch ? words.stopWatch : words.startWatch}
                  </Button>
                )}
              </div>
            ),
          },
          {
            label: words.fields.timezone,
            value: (
              <div className="sources-setting">
                {source.timezone === null ? words.zoneUtc : <SafeText isMono>{source.timezone}</SafeText>}
                {mayWrite && (
                  <Button size="s" {...isFixed} onClick={() => setAsked("zone")}>
                    {words.changeZone}
                  </Button>
                )}
              </div>
            ),
          },
        ]}
      />
      {asked === "watch" && (
        <ConfirmChange
          title={words.stopWatchTitle}
          label={words.stopWatch}
          onConfirm={() => save({ watch: false }).then(close)}
          onClose={close}
        >
          <p>{words.stopWatchText}</p>
        </ConfirmChange>
      )}
      {asked === "zone" && <ZoneDialog timezone={source.timezone} save={save} onClose={close} />}
    </>
  );
}

function ZoneDialog({ timezone, save, onClose }: { timezone: string | null; save: SaveSettings; onClose: () => void }) {
  const words = usePhrases(sourcesPhrases);
  const mode = useMode();
  const form = useId();
  const [zone, setZone] = useState(timezone ?? "");
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const onRefused = (error: ApiError) => {
    setTrouble(error.message);
    return error.status === 400;
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsBusy(true);
    const isSaved = await save({ timezone: zone.trim() || null }, onRefused).finally(() => setIsBusy(false));
    if (isSaved) onClose();
  };
  return (
    <Dialog
      title={words.fields.timezone}
      onClose={onClose}
      width="s"
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {mode === "dry_run" ? words.preview : words.save}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.fields.timezone}
          hint={words.zoneHint}
          error={trouble}
          maxLength={100}
          dir="ltr"
          spellCheck={false}
          value={zone}
          onChange={(event) => setZone(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}

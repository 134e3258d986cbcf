import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon, type IconName } from "../../design/icons.tsx";
import { useLanguage, usePhrases } from "../app.ts";
import { CommandFields } from "./command-fields.tsx";
import { FileBrowser } from "./file-browser.tsx";
import { FavoriteField, StationField, StreamFields } from "./list-fields.tsx";
import { ModeFields } from "./mode-fields.tsx";
import { SurahFields } from "./surah-fields.tsx";
import type { DraftProps, TargetDraft, TargetKind } from "./target-draft.ts";
import { targetWords } from "./target-words.ts";
import { targetsPhrases } from "./targets-phrases.ts";
import { useTargetLists } from "./use-target-lists.ts";
import { VolumeChoice } from "./volume-choice.tsx";
import "./targets.css";

const KINDS = [
  { kind: "surah", icon: "book" },
  { kind: "station", icon: "radio" },
  { kind: "favorite", icon: "heart" },
  { kind: "file", icon: "card" },
  { kind: "stream", icon: "globe" },
  { kind: "resume", icon: "play" },
  { kind: "command", icon: "settings" },
] as const satisfies readonly { kind: TargetKind; icon: IconName }[];

export interface TargetPickerProps {
  draft: TargetDraft;
  onChange: (draft: TargetDraft) => void;
  /** Omitted where another field sets the volume. */
  hasVolume?: boolean;
}

/** Chooses what a card or a schedule does. */
export function TargetPicker({ draft, onChange, hasVolume = true }: TargetPickerProps) {
  const change = (changed: Partial<TargetDraft>) => onChange({ ...draft, ...changed });
  const isPlayable = draft.kind !== "command" && draft.kind !== "kept";
  return (
    <div class="stack target-picker">
      <KindTiles draft={draft} change={change} />
      <KindFields draft={draft} change={change} />
      {isPlayable && <ModeFields mode={draft.mode} onChange={(mode) => change({ mode })} hasSame />}
      {isPlayable && hasVolume && <VolumeFields draft={draft} change={change} />}
    </div>
  );
}

function KindTiles({ draft, change }: DraftProps) {
  const phrases = usePhrases(targetsPhrases);
  const name = useId();
  const tile = (kind: TargetKind, icon: IconName) => (
    <label key={kind} class="kind-tile">
      <input type="radio" name={name} checked={draft.kind === kind} onChange={() => change({ kind })} />
      <span>
        <Icon name={icon} />
        {phrases.kinds[kind]}
      </span>
    </label>
  );
  return (
    <fieldset>
      <legend class="field-label">{phrases.what}</legend>
      <div class="kind-tiles">
        {draft.kept && tile("kept", "check")}
        {KINDS.map(({ kind, icon }) => tile(kind, icon))}
      </div>
    </fieldset>
  );
}

function KindFields({ draft, change }: DraftProps): ComponentChildren {
  const phrases = usePhrases(targetsPhrases);
  switch (draft.kind) {
    case "surah":
      return <SurahFields draft={draft} change={change} />;
    case "favorite":
      return <FavoriteField draft={draft} change={change} />;
    case "station":
      return <StationField draft={draft} change={change} />;
    case "file":
      return <FileBrowser path={draft.path} onChoose={(path) => change({ path })} />;
    case "stream":
      return <StreamFields draft={draft} change={change} />;
    case "command":
      return <CommandFields draft={draft} change={change} />;
    case "resume":
      return <p class="field-hint">{phrases.resumeHint}</p>;
    case "kept":
      return <KeptWords draft={draft} />;
    default:
      return draft.kind satisfies never;
  }
}

function KeptWords({ draft }: Pick<DraftProps, "draft">) {
  const lists = useTargetLists();
  const language = useLanguage();
  return <p dir="auto">{draft.kept && targetWords(draft.kept, lists, language)}</p>;
}

function VolumeFields({ draft, change }: DraftProps) {
  const phrases = usePhrases(targetsPhrases);
  return (
    <VolumeChoice
      label={phrases.ownVolume}
      hint={phrases.ownVolumeHint}
      volume={draft.volume}
      onChange={(volume) => change({ volume })}
    />
  );
}

import type { ScheduleBody } from "@player/service/contract/schedules";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { targetWords } from "../../app/targets/target-words.ts";
import { useTargetLists } from "../../app/targets/use-target-lists.ts";
import { useInstantWords } from "../../app/time/use-instant-words.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { IconButton } from "../../design/button.tsx";
import { Switch } from "../../design/fields.tsx";
import { Icon } from "../../design/icons.tsx";
import { Link } from "../../design/layout.tsx";
import { mannerWords, repetitionWords, resultWords, startWords, whyNoNext } from "./schedule-words.ts";
import { schedulesPhrases } from "./schedules-phrases.ts";

export interface ScheduleItemProps {
  schedule: ScheduleBody;
  onRemove: () => void;
}

export function ScheduleItem({ schedule, onRemove }: ScheduleItemProps) {
  const { live } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const language = useLanguage();
  const lists = useTargetLists();
  const is24h = live.settings.view.value?.time_format_24h ?? true;
  const what = targetWords(schedule.target, lists, language);
  const manner = mannerWords(schedule, language);
  return (
    <li class={schedule.enabled ? "panel schedule" : "panel schedule schedule-off"}>
      <h2 class="schedule-start">{startWords(schedule, is24h, language)}</h2>
      <p class="schedule-days">{repetitionWords(schedule, language)}</p>
      {schedule.name !== "" && (
        <p class="schedule-name">
          <bdi>{schedule.name}</bdi>
        </p>
      )}
      <p class="schedule-what">
        <Icon name="play" />
        <span>{what}</span>
      </p>
      {manner !== "" && <p class="row-aside">{manner}</p>}
      <LastResult schedule={schedule} />
      <EnableSwitch schedule={schedule} />
      <div class="actions">
        <Link to={`/schedules/${schedule.id}`} class="button">
          <Icon name="edit" />
          <span>{phrases.edit}</span>
          <span class="screen-reader-only">: {what}</span>
        </Link>
        <IconButton icon="bin" label={`${phrases.remove}: ${what}`} needsToken onClick={onRemove} />
      </div>
    </li>
  );
}

/** Changes immediately, and reverts when the device refuses. */
function EnableSwitch({ schedule }: Pick<ScheduleItemProps, "schedule">) {
  const { api, live, commands } = useApp();
  const { byItself } = usePhrases(schedulesPhrases);
  const [wanted, setWanted] = useState<boolean>();
  const enabled = wanted ?? schedule.enabled;
  const change = async (isOn: boolean) => {
    setWanted(isOn);
    await commands.run(async () => {
      await api.post(`/schedules/${schedule.id}/enable`, { enabled: isOn });
      await live.schedules.refresh();
    });
    setWanted(undefined);
  };
  return (
    <Switch
      label={byItself}
      hint={useNextWords({ ...schedule, enabled })}
      isOn={enabled}
      needsToken
      onChange={(isOn) => void change(isOn)}
    />
  );
}

function useNextWords(schedule: ScheduleBody): string {
  const { live } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const instantWords = useInstantWords();
  // "Tomorrow" becomes "today" at midnight.
  useSeconds();
  const { enabled, next_run } = schedule;
  if (enabled && next_run !== null) return fill(phrases.next, { when: instantWords(next_run) });
  const prayer = live.prayer.value;
  const known = { hasClock: prayer?.clock_ok ?? true, hasPlace: prayer?.configured ?? true };
  return phrases[whyNoNext(schedule, known)];
}

function LastResult({ schedule }: Pick<ScheduleItemProps, "schedule">) {
  const language = useLanguage();
  const words = resultWords(schedule, useInstantWords(), language);
  if (words === "") return null;
  const isGood = schedule.last_result === "ok" || schedule.last_result === "running";
  return (
    <p class={isGood ? "schedule-result" : "schedule-result schedule-result-bad"}>
      <Icon name={isGood ? "check" : "warning"} />
      <span>{words}</span>
    </p>
  );
}

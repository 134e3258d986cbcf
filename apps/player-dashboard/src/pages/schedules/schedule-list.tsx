import type { ScheduleBody } from "@player/service/contract/schedules";
import { useState } from "preact/hooks";
import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { RemoveDialog } from "../../app/controls/remove-dialog.tsx";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { Icon } from "../../design/icons.tsx";
import { EmptyState, Link, PageTitle } from "../../design/layout.tsx";
import { ScheduleItem } from "./schedule-item.tsx";
import { schedulesPhrases } from "./schedules-phrases.ts";
import { useScheduleName } from "./use-schedule-name.ts";

export function ScheduleList() {
  const { live } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const shell = usePhrases(commonPhrases);
  const [doomed, setDoomed] = useState<ScheduleBody>();
  return (
    <>
      <PageTitle back={{ to: "/more", label: shell.more }} actions={<AddLink>{phrases.add}</AddLink>}>
        {shell.schedules}
      </PageTitle>
      <Loaded reading={useResource(live.schedules)} refresh={live.schedules.refresh}>
        {(schedules) =>
          schedules.length === 0 ? (
            <EmptyState icon="clock" title={phrases.none}>
              <p>{phrases.noneHint}</p>
              <AddLink>{phrases.addFirst}</AddLink>
            </EmptyState>
          ) : (
            <>
              <ClockWarning />
              <ul class="schedules" aria-label={phrases.list}>
                {schedules.toSorted(bySoonest).map((schedule) => (
                  <ScheduleItem key={schedule.id} schedule={schedule} onRemove={() => setDoomed(schedule)} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {doomed && <RemoveSchedule schedule={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

function bySoonest(one: ScheduleBody, other: ScheduleBody): number {
  const [mine, theirs] = [one.next_run ?? Number.POSITIVE_INFINITY, other.next_run ?? Number.POSITIVE_INFINITY];
  return mine === theirs ? one.id - other.id : mine - theirs;
}

function AddLink({ children }: { children: string }) {
  return (
    <Link to="/schedules/new" class="button button-primary">
      <Icon name="plus" />
      <span>{children}</span>
    </Link>
  );
}

function ClockWarning() {
  const { live } = useApp();
  const { noClock } = usePhrases(schedulesPhrases);
  if (live.prayer.value?.clock_ok !== false) return null;
  return (
    <p class="schedules-warning">
      <Icon name="warning" />
      <span>{noClock}</span>
    </p>
  );
}

function RemoveSchedule({ schedule, onClose }: { schedule: ScheduleBody; onClose: () => void }) {
  const { api } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const name = useScheduleName()(schedule);
  return (
    <RemoveDialog
      title={phrases.removeTitle}
      question={fill(phrases.removeQuestion, { name: isolated(name) })}
      yes={phrases.remove}
      keep={phrases.keep}
      removed={phrases.removed}
      remove={() => api.remove(`/schedules/${schedule.id}`)}
      onClose={onClose}
    />
  );
}

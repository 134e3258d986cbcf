import type { ScheduleBody } from "@player/service/contract/schedules";
import { useState } from "preact/hooks";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icons.tsx";
import { Dialog, EmptyState, Link, Loaded, PageTitle } from "../controls/layout.tsx";
import { fill } from "../language/translations.ts";
import { useApp, usePhrases, useResource } from "../shell/app.ts";
import { shellPhrases } from "../shell/shell-phrases.ts";
import { isolated } from "../targets/target-words.ts";
import { ScheduleItem } from "./schedule-item.tsx";
import { schedulesPhrases } from "./schedules-phrases.ts";
import { useScheduleName } from "./use-schedule-name.ts";

export function ScheduleList() {
  const { live } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const shell = usePhrases(shellPhrases);
  const [doomed, setDoomed] = useState<ScheduleBody>();
  return (
    <>
      <PageTitle actions={<AddLink>{phrases.add}</AddLink>}>{shell.schedules}</PageTitle>
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
      {doomed && <RemoveDialog schedule={doomed} onClose={() => setDoomed(undefined)} />}
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

function RemoveDialog({ schedule, onClose }: { schedule: ScheduleBody; onClose: () => void }) {
  const { api, commands, notices } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const name = useScheduleName()(schedule);
  const remove = async () => {
    const isDone = await commands.run(() => api.remove(`/schedules/${schedule.id}`));
    if (isDone) notices.tell("done", phrases.removed);
    onClose();
  };
  return (
    <Dialog title={phrases.removeTitle} onClose={onClose}>
      <div class="stack">
        <p>{fill(phrases.removeQuestion, { name: isolated(name) })}</p>
        <div class="actions">
          <Button kind="danger" icon="bin" needsToken onClick={() => void remove()}>
            {phrases.remove}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {phrases.keep}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

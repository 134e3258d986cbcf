import type { ScheduleBody } from "@player/service/contract/schedules";
import { useRef } from "preact/hooks";
import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { EmptyState, Link, PageTitle } from "../../design/layout.tsx";
import { EMPTY_SCHEDULE, toScheduleDraft } from "./schedule-draft.ts";
import { ScheduleForm } from "./schedule-form.tsx";
import { ScheduleList } from "./schedule-list.tsx";
import { schedulesPhrases } from "./schedules-phrases.ts";
import "./schedules.css";

/** The list, `/schedules/new`, and `/schedules/{id}` to change one. */
export function SchedulesPage() {
  const { navigation } = useApp();
  const below = navigation.path.value.split("/")[2] ?? "";
  if (below === "") return <ScheduleList />;
  return below === "new" ? <NewSchedule /> : <EditSchedule key={below} id={Number(below)} />;
}

function FormTitle({ children }: { children: string }) {
  const { back } = usePhrases(schedulesPhrases);
  return <PageTitle back={{ to: "/schedules", label: back }}>{children}</PageTitle>;
}

function NewSchedule() {
  const { newTitle } = usePhrases(schedulesPhrases);
  return (
    <>
      <FormTitle>{newTitle}</FormTitle>
      <ScheduleForm initial={EMPTY_SCHEDULE} />
    </>
  );
}

function EditSchedule({ id }: { id: number }) {
  const { live } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const reading = useResource(live.schedules);
  const found = useRef<ScheduleBody | undefined>(undefined);
  return (
    <>
      <FormTitle>{phrases.editTitle}</FormTitle>
      <Loaded reading={reading} refresh={live.schedules.refresh}>
        {(schedules) => {
          // After its replacement is saved, the old schedule is gone while the form is still open.
          found.current ??= schedules.find((each) => each.id === id);
          const schedule = found.current;
          if (schedule) return <ScheduleForm key={id} initial={toScheduleDraft(schedule)} replaces={schedule} />;
          return (
            <EmptyState icon="clock" title={phrases.gone}>
              <p>{phrases.goneHint}</p>
              <Link to="/schedules" class="button button-primary">
                {phrases.back}
              </Link>
            </EmptyState>
          );
        }}
      </Loaded>
    </>
  );
}

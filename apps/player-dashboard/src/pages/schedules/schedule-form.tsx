import type { ScheduleBody } from "@player/service/contract/schedules";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { buildTarget } from "../../app/targets/target-draft.ts";
import { TargetPicker } from "../../app/targets/target-picker.tsx";
import { targetWords } from "../../app/targets/target-words.ts";
import { useSaving } from "../../app/targets/use-saving.ts";
import { useTargetLists } from "../../app/targets/use-target-lists.ts";
import { Button } from "../../design/button.tsx";
import { Link, Panel } from "../../design/layout.tsx";
import { HowFields } from "./how-fields.tsx";
import { buildScheduleRequest, missingIn, type ScheduleDraft } from "./schedule-draft.ts";
import { repetitionWords, startWords } from "./schedule-words.ts";
import { schedulesPhrases } from "./schedules-phrases.ts";
import { WhenFields } from "./when-fields.tsx";

export interface ScheduleFormProps {
  initial: ScheduleDraft;
  /** The API cannot change a schedule, so the new one replaces this one. */
  replaces?: ScheduleBody;
}

export function ScheduleForm({ initial, replaces }: ScheduleFormProps) {
  const { navigation, notices } = useApp();
  const phrases = usePhrases(schedulesPhrases);
  const [draft, setDraft] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const { isBusy, refusal, save } = useSaving();
  const put = usePut(replaces);
  const change = (changed: Partial<ScheduleDraft>) => setDraft({ ...draft, ...changed });
  const missing = missingIn(draft);
  const trouble = wasTried && missing ? phrases.missing[missing] : refusal;

  async function submit(): Promise<void> {
    setTried(true);
    if (missing || !(await save(() => put(draft)))) return;
    notices.show("done", phrases.saved);
    navigation.go("/schedules");
  }

  return (
    <form
      class="panels"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div class="panels panels-two">
        <Panel title={phrases.when}>
          <WhenFields draft={draft} change={change} />
        </Panel>
        <Panel title={phrases.what}>
          <TargetPicker draft={draft.target} onChange={(target) => change({ target })} hasVolume={false} />
        </Panel>
      </div>
      <Panel title={phrases.how}>
        <HowFields draft={draft} change={change} />
      </Panel>
      <Summary draft={draft} />
      {trouble && (
        <p class="form-trouble" role="alert">
          {trouble}
        </p>
      )}
      <div class="actions">
        <Button type="submit" kind="primary" icon="check" needsToken isBusy={isBusy}>
          {phrases.save}
        </Button>
        <Link to="/schedules" class="button button-quiet">
          {phrases.cancel}
        </Link>
      </div>
    </form>
  );
}

function usePut(replaces: ScheduleBody | undefined): (draft: ScheduleDraft) => Promise<void> {
  const { api, live, notices } = useApp();
  const { oldKept } = usePhrases(schedulesPhrases);
  return async (draft) => {
    const { id } = await api.post<ScheduleBody>("/schedules", buildScheduleRequest(draft));
    if (replaces) {
      if (!replaces.enabled) await api.post(`/schedules/${id}/enable`, { enabled: false });
      await api.remove(`/schedules/${replaces.id}`).catch(() => notices.show("refused", oldKept));
    }
    await live.schedules.refresh();
  };
}

/** What will happen, in one sentence, before it is saved. */
function Summary({ draft }: { draft: ScheduleDraft }) {
  const { live } = useApp();
  const language = useLanguage();
  const lists = useTargetLists();
  const request = buildScheduleRequest(draft);
  const target = buildTarget(draft.target);
  if (!request || !target) return null;
  const { hour = null, minute = null, anchor = null, days, once = false } = request;
  const is24h = live.settings.view.value?.time_format_24h ?? true;
  return (
    <p class="schedule-summary" role="status">
      <strong>{startWords({ hour, minute, anchor }, is24h, language)}</strong>
      <span>{repetitionWords({ days, once }, language)}</span>
      <span>{targetWords(target, lists, language)}</span>
    </p>
  );
}

import type { PrayerMonthBody } from "@player/service/contract/prayer";
import { computed } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases, useResource } from "../../app/app.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { createResource } from "../../app/live/resource.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { Button, IconButton } from "../../design/button.tsx";
import { EmptyState, Link, PageTitle } from "../../design/layout.tsx";
import { dateWords, hijriSpan, shiftMonth } from "./month.ts";
import { MonthFoot } from "./month-foot.tsx";
import { monthPhrases } from "./month-phrases.ts";
import { MonthTable } from "./month-table.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";
import "./month.css";

/** The timetable of a month, on the screen and on one sheet of A4. */
export function MonthPage() {
  const { live } = useApp();
  const phrases = usePhrases(monthPhrases);
  const today = live.prayer.value?.date;
  const [chosen, setChosen] = useState<string>();
  const month = chosen ?? today?.slice(0, 7);
  return (
    <div class="month">
      <PageTitle
        back={{ to: "/prayer", label: phrases.back }}
        actions={
          <Button icon="print" onClick={() => window.print()}>
            {phrases.print}
          </Button>
        }
      >
        {phrases.monthTitle}
      </PageTitle>
      {month && today ? (
        <Month key={month} month={month} today={today} onChoose={setChosen} />
      ) : (
        <div class="waiting waiting-tall" aria-busy="true" />
      )}
    </div>
  );
}

interface MonthProps {
  month: string;
  today: string;
  onChoose: (month: string) => void;
}

function Month({ month, today, onChoose }: MonthProps) {
  const { api, live } = useApp();
  const table = useMemo(
    () =>
      createResource(
        () => api.get<PrayerMonthBody>(`/prayer/month?month=${month}`),
        computed(() => [live.prayer.value, live.settings.truth.value?.timezone]),
      ),
    [api, live, month],
  );
  const reading = useResource(table);
  return (
    <Loaded reading={reading} refresh={table.refresh}>
      {(body) =>
        body.configured ? (
          <>
            <MonthHead body={body} today={today} onChoose={onChoose} />
            <MonthTable days={body.days} today={today} />
            <MonthFoot />
          </>
        ) : (
          <NoPlace />
        )
      }
    </Loaded>
  );
}

function NoPlace() {
  const phrases = usePhrases(prayerPhrases);
  return (
    <EmptyState icon="prayer" title={phrases.noPlace}>
      <p>{phrases.noPlaceHint}</p>
      <Link to="/welcome" class="button button-primary">
        {phrases.startGuide}
      </Link>
    </EmptyState>
  );
}

interface MonthHeadProps {
  body: PrayerMonthBody;
  today: string;
  onChoose: (month: string) => void;
}

function MonthHead({ body: { month, days }, today, onChoose }: MonthHeadProps) {
  const language = useLanguage();
  const phrases = usePhrases(monthPhrases);
  const former = shiftMonth(month, -1);
  const next = shiftMonth(month, 1);
  const thisMonth = today.slice(0, 7);
  return (
    <div class="month-head">
      <IconButton
        icon="back"
        label={phrases.formerMonth}
        disabled={!former}
        onClick={() => former && onChoose(former)}
      />
      <div class="month-name">
        <h2 aria-live="polite">{dateWords(`${month}-01`, { month: "long", year: "numeric" }, language)}</h2>
        <p class="row-aside">{useSpanWords(days)}</p>
      </div>
      <IconButton icon="forward" label={phrases.nextMonth} disabled={!next} onClick={() => next && onChoose(next)} />
      {month !== thisMonth && (
        <Button kind="quiet" onClick={() => onChoose(thisMonth)}>
          {phrases.thisMonth}
        </Button>
      )}
    </div>
  );
}

function useSpanWords(days: PrayerMonthBody["days"]): string {
  const language = useLanguage();
  const phrases = usePhrases(monthPhrases);
  const span = hijriSpan(days);
  if (!span) return "";
  const words = ({ month, year }: { month: number; year: number }) =>
    fill(phrases.hijriMonth, {
      month: phrases.hijriMonths[month - 1] ?? "",
      year: formatDigits(String(year), language),
    });
  return fill(phrases.span, { from: words(span.from), to: words(span.to) });
}

import type { PrayerMonthBody } from "@player/service/contract/prayer";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { formatDigits } from "../../app/language/times.ts";
import { PRAYERS } from "../../app/prayer/prayers.ts";
import { dateWords, tableTime } from "./month.ts";
import { monthPhrases } from "./month-phrases.ts";

type Day = PrayerMonthBody["days"][number];

export function MonthTable({ days, today }: { days: readonly Day[]; today: string }) {
  const phrases = usePhrases(monthPhrases);
  const { prayers } = usePhrases(commonPhrases);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keyboard
    <section class="month-scroll" aria-label={phrases.tableHint} tabIndex={0}>
      <table class="month-table">
        <thead>
          <tr>
            <th scope="col">{phrases.date}</th>
            <th scope="col">{phrases.hijriDate}</th>
            {PRAYERS.map((name, index) => (
              <th key={name} scope="col">
                {prayers[index]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <MonthRow key={day.date} day={day} isFirst={index === 0} isToday={day.date === today} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const FRIDAY = 5;

function MonthRow({ day: { date, times, hijri }, isFirst, isToday }: { day: Day; isFirst: boolean; isToday: boolean }) {
  const { live } = useApp();
  const language = useLanguage();
  const { hijriMonths } = usePhrases(monthPhrases);
  const is24h = live.settings.view.value?.time_format_24h ?? true;
  const isFriday = new Date(date).getUTCDay() === FRIDAY;
  const classes = [isToday && "month-today", isFriday && "month-friday"].filter(Boolean);
  return (
    <tr class={classes.join(" ")} aria-current={isToday ? "date" : undefined}>
      <th scope="row">
        <span class="month-day">{dateWords(date, { day: "numeric" }, language)}</span>{" "}
        <span class="month-weekday">{dateWords(date, { weekday: "short" }, language)}</span>
      </th>
      <td class="month-hijri">
        {formatDigits(String(hijri.day), language)}
        {(isFirst || hijri.day === 1) && <span class="month-hijri-name"> {hijriMonths[hijri.month - 1]}</span>}
      </td>
      {PRAYERS.map((name) => (
        <td key={name}>{formatDigits(tableTime(times[name], is24h), language)}</td>
      ))}
    </tr>
  );
}

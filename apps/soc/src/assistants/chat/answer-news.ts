import { formatCount, formatTime } from "./plain-text.ts";
import type { Span } from "./span.ts";
import { formatSpan, type Part, sayAlerts, sayCases, type Telling, tell, toCitation } from "./telling.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_SHOWN = 6;
const MAX_CASES = 100;

/** What is new: the alerts seen, and the cases changed, in a time. */
export async function* answerNews(telling: Telling, asked: Span | undefined): Part {
  const { look, say, now } = telling;
  const span: Span = asked ?? { from: new Date(now.getTime() - DAY_MS), to: now, kind: "period" };
  yield* say(`Looking for alerts and cases ${formatSpan(span)}`, [], ".\n");
  const [from, to] = [span.from.toISOString(), span.to.toISOString()];
  const alerts = look.listAlerts({ from, to, sort: "-severity", limit: MAX_SHOWN });
  const cases = look.listCases({ sort: "-updated_at", limit: MAX_CASES });

  const seen = yield* tell(telling, alerts);
  if (seen?.items.length === 0) yield* say("No alert was seen in this time", [], ".\n");
  if (seen && seen.items.length > 0) {
    const { items, total, total_is_estimate: isEstimate } = seen;
    const which = total > items.length ? `; the ${items.length} most severe` : "";
    const count = `${isEstimate ? "about " : ""}${formatCount(total, "alert")}`;
    yield* say(
      `${count} ${total === 1 ? "was" : "were"} seen${which}`,
      items.map((each) => toCitation("alert", each)),
      ":\n",
    );
    yield* sayAlerts(say, items);
  }

  const listed = yield* tell(telling, cases);
  if (!listed) return;
  const changed = listed.items.filter(({ updated_at }) => updated_at >= span.from && updated_at < span.to);
  if (changed.length === 0) return yield* say(`No case was changed since ${formatTime(span.from)}`, [], ".\n");
  const shown = changed.slice(0, MAX_SHOWN);
  const isMore = changed.length === MAX_CASES ? "at least " : "";
  const count = `${isMore}${formatCount(changed.length, "case")}`;
  const which = changed.length > shown.length ? `; the ${shown.length} changed last` : "";
  const cited = shown.map((each) => toCitation("case", each));
  yield* say(`${count} ${changed.length === 1 ? "was" : "were"} opened or changed${which}`, cited, ":\n");
  yield* sayCases(say, shown);
}

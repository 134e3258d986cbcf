import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { Alert } from "../../alerts/module.ts";
import type { Page } from "../../foundation/lists/page.ts";
import {
  type AnswerContext,
  formatSpan,
  type Part,
  toCitation,
  writeAlerts,
  writeCases,
  writeLookup,
} from "./answer-context.ts";
import { formatCount, formatTime } from "./plain-text.ts";
import type { Span } from "./span.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_SHOWN = 6;
const MAX_CASES = 100;

/** Answers what is new: the alerts seen and the cases changed in a period, optionally of some severities. */
export async function* answerNews(
  telling: AnswerContext,
  asked: Span | undefined,
  severities: readonly Severity[] = [],
): Part {
  const { look, say, now } = telling;
  const span: Span = asked ?? { from: new Date(now.getTime() - DAY_MS), to: now, kind: "period" };
  const kind = severities.length === 0 ? "" : `${severities.join(" or ")} `;
  yield* say(`Looking for ${kind}alerts and cases ${formatSpan(span)}`, [], ".\n");
  const [from, to] = [span.from.toISOString(), span.to.toISOString()];
  const only = severities.length > 0 && { severity: [...severities] };
  const alerts = look.listAlerts({ from, to, ...only, sort: "-severity", limit: MAX_SHOWN });
  const cases = look.listCases({ ...only, sort: "-updated_at", limit: MAX_CASES });

  const seen = yield* writeLookup(telling, alerts);
  if (seen) yield* saySeen(telling, seen, kind);

  const listed = yield* writeLookup(telling, cases);
  if (!listed) return;
  const changed = listed.items.filter(({ updated_at }) => updated_at >= span.from && updated_at < span.to);
  if (changed.length === 0) return yield* say(`No ${kind}case was changed since ${formatTime(span.from)}`, [], ".\n");
  const shown = changed.slice(0, MAX_SHOWN);
  const isMore = changed.length === MAX_CASES ? "at least " : "";
  const count = `${isMore}${formatCount(changed.length, "case")}`;
  const which = changed.length > shown.length ? `; the ${shown.length} changed last` : "";
  const cited = shown.map((each) => toCitation("case", each));
  yield* say(`${count} ${changed.length === 1 ? "was" : "were"} opened or changed${which}`, cited, ":\n");
  yield* writeCases(say, shown);
}

async function* saySeen({ say }: AnswerContext, seen: Page<Alert>, kind: string): Part {
  const { items, total, total_is_estimate: isEstimate } = seen;
  if (items.length === 0) return yield* say(`No ${kind}alert was seen in this time`, [], ".\n");
  const which = total > items.length ? `; the ${items.length} most severe` : "";
  const count = `${isEstimate ? "about " : ""}${formatCount(total, "alert")}`;
  yield* say(
    `${count} ${total === 1 ? "was" : "were"} seen${which}`,
    items.map((each) => toCitation("alert", each)),
    ":\n",
  );
  yield* writeAlerts(say, items);
}

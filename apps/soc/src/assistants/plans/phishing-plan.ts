import { unifyUser } from "../../foundation/records/entity-name.ts";
import { formatTerm, quoteText } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { firstTextOf, textOf } from "../investigations/event-facts.ts";
import { cite } from "../investigations/findings.ts";
import { readEvents, searchLogs } from "./answers.ts";
import { isMail, isMailSource } from "./event-kinds.ts";
import { citeMentions, count, createPlan, endsFirst, formatSpan, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, daysUpTo, isNamedIn, listIndicators, listValues, SENDER_FIELDS } from "./subject.ts";

const RECIPIENT_FIELDS = ["mail.to", "email.to.address", "recipient", "RecipientEmailAddress", "user"];
/** A mail reaches its recipients over hours, and the same sender returns. */
const DAYS = 3;
const LIMITS = { senders: 2, names: 3, visitors: 5 } as const;

/** Searches for the recipients of a sender. */
function searchRecipients(subject: Subject, sender: string): Step {
  const own = SENDER_FIELDS.filter((name) => subject.events.some((event) => textOf(event, name) === sender));
  const query = own.map((name) => formatTerm(`attributes.${name}`, sender)).join(" OR ");
  return {
    call: searchLogs(query, daysUpTo(computeWindow(subject), DAYS)),
    conclude(answer) {
      const found = readEvents(answer);
      const isFrom = (event: LogEvent) => firstTextOf(event, own).toLowerCase() === sender.toLowerCase();
      const mails = found?.events.filter(isFrom) ?? [];
      const recipients = new Set(mails.map((mail) => unifyUser(firstTextOf(mail, RECIPIENT_FIELDS))));
      recipients.delete("");
      if (!found || recipients.size === 0) return [];
      const times = `${count(mails.length, "mail event", found.isComplete)} for ${count(recipients.size, "recipient", found.isComplete)}`;
      const fields = [...own, ...RECIPIENT_FIELDS, "timestamp"];
      return [cite(`${quote(sender)} has ${times}, ${formatSpan(mails)}.`, endsFirst(mails), fields)];
    },
  };
}

/** Searches for visits to a domain or URL of the mail in sources other than the mail gateway. */
function searchVisitors(subject: Subject, value: string): Step {
  return {
    call: searchLogs(quoteText(value), daysUpTo(computeWindow(subject), DAYS)),
    conclude(answer) {
      const found = readEvents(answer);
      const visits = found?.events.filter((event) => !isMail(event) && isNamedIn(event, value)) ?? [];
      const visitors = new Map(visits.toReversed().map((event) => [unifyUser(event.user) || event.host, event]));
      visitors.delete("");
      const shown = [...visitors].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
      const named = shown.slice(0, LIMITS.visitors);
      if (!found || named.length === 0) return [];
      const who = named.map(({ user, host }) => quote(user || host)).join(", ");
      const times = count(visits.length, "event", found.isComplete);
      const fields = ["user", "host", "source"];
      return [
        citeMentions(
          `Beyond the mail, ${quote(value)} occurs in ${times}, among them of ${who}.`,
          named,
          value,
          fields,
        ),
      ];
    },
  };
}

/** The domain of an address shows the origin of its mails, except for the large public providers. */
const SHARED_DOMAINS = /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|proton|protonmail|gmx|aol)\./;

function listNames(subject: Subject): string[] {
  const names = listIndicators(subject).flatMap(({ type, value }) => {
    if (type === "domain" || type === "url") return [value];
    return type === "email" ? [value.slice(value.lastIndexOf("@") + 1)] : [];
  });
  return [...new Set(names)].filter((name) => !SHARED_DOMAINS.test(name));
}

/** Finds other recipients of the mail and users who followed it. */
export const PHISHING_PLAN = createPlan("agent-007", {
  isTriggered: ({ alert, events }) => isMailSource(alert.source) || events.some(isMail),
  steps: (subject) => [
    ...listValues(subject, SENDER_FIELDS)
      .slice(0, LIMITS.senders)
      .map((sender) => searchRecipients(subject, sender)),
    ...listNames(subject)
      .slice(0, LIMITS.names)
      .map((name) => searchVisitors(subject, name)),
  ],
});

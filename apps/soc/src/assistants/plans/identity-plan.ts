import { unifyUser } from "../../foundation/records/entity-name.ts";
import { formatTerm } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { cite, type Finding } from "../investigations/findings.ts";
import { isRemote } from "../investigations/signals.ts";
import { type FoundEvents, readEvents, searchLogs } from "./answers.ts";
import { isCloudAudit } from "./event-kinds.ts";
import { count, createPlan, endsFirst, formatSpan, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, listUsers } from "./subject.ts";

const MAX_USERS = 2;
/** Fewer failed sign-ins are considered a forgotten password. */
const MIN_FAILURES = 5;
const MAX_ADDRESSES = 5;

const SIGN_INS = [
  "event_code:(4624 OR 4625 OR 4648 OR 4768 OR 4771 OR 4776)",
  "action:(*logon* OR *login* OR *log-in* OR *sign-in* OR *signin* OR *authentication*)",
].join(" OR ");
const SIGN_IN_CODES: ReadonlySet<string> = new Set(["4624", "4625", "4648", "4768", "4771", "4776"]);
const SIGN_IN_ACTION = /log-?[io]n|sign-?in|authentication/i;

/** Account changes in the Windows audit; CloudAgent handles those of cloud tenants. */
const CHANGES: ReadonlyMap<string, string> = new Map([
  ["4720", "created an account"],
  ["4722", "enabled an account"],
  ["4724", "reset a password"],
  ["4728", "added a member to a global group"],
  ["4732", "added a member to a local group"],
  ["4756", "added a member to a universal group"],
  ["4781", "renamed an account"],
]);

function isFailed({ outcome, event_code }: LogEvent): boolean {
  return /^(?:failure|failed|denied)$/i.test(outcome) || event_code === "4625" || event_code === "4771";
}

function isSucceeded(event: LogEvent): boolean {
  return !isFailed(event) && (/^success/i.test(event.outcome) || event.event_code === "4624");
}

function ofUser(user: string, found: FoundEvents | undefined, isWanted: (event: LogEvent) => boolean): LogEvent[] {
  return found?.events.filter((event) => unifyUser(event.user) === unifyUser(user) && isWanted(event)) ?? [];
}

function searchSignIns(subject: Subject, user: string): Step {
  return {
    call: searchLogs(`${formatTerm("user", user)} AND (${SIGN_INS})`, computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const isSignIn = ({ event_code, action }: LogEvent) =>
        SIGN_IN_CODES.has(event_code) || SIGN_IN_ACTION.test(action);
      const signIns = ofUser(user, found, isSignIn);
      const isComplete = found?.isComplete === true;
      return [...describeFailures(user, signIns, isComplete), ...describeAddresses(user, signIns, isComplete)];
    },
  };
}

/** Describes many failures and whether a success followed, which suggests a guessed password. */
function describeFailures(user: string, signIns: readonly LogEvent[], isComplete: boolean): Finding[] {
  const failures = signIns.filter(isFailed);
  const enough = failures[MIN_FAILURES - 1];
  if (!enough) return [];
  const success = signIns.find((event) => isSucceeded(event) && event.timestamp > enough.timestamp);
  const before = failures.filter(({ timestamp }) => success === undefined || timestamp < success.timestamp);
  const times = `${count(before.length, "event", isComplete)} of failed sign-ins of ${quote(user)} ${formatSpan(before)}`;
  const fields = ["user", "outcome", "timestamp"];
  if (!success) return [cite(`There are ${times}.`, endsFirst(before), fields)];
  return [cite(`A success at ${success.timestamp} follows ${times}.`, [success, ...endsFirst(before)], fields)];
}

function describeAddresses(user: string, signIns: readonly LogEvent[], isComplete: boolean): Finding[] {
  const from = new Map<string, LogEvent>();
  for (const event of signIns.filter(isSucceeded)) {
    if (isRemote(event.src_ip) && !from.has(event.src_ip)) from.set(event.src_ip, event);
  }
  if (from.size < 2) return [];
  const shown = [...from.values()].slice(0, MAX_ADDRESSES);
  const addresses = count(from.size, "address", isComplete);
  const named = shown.map(({ src_ip }) => src_ip).join(", ");
  return [cite(`${quote(user)} signed in from ${addresses}: ${named}.`, shown, ["user", "src_ip", "outcome"])];
}

function searchChanges(subject: Subject, user: string): Step {
  const codes = `event_code:(${[...CHANGES.keys()].join(" OR ")})`;
  return {
    call: searchLogs(`${formatTerm("user", user)} AND ${codes}`, computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const made = ofUser(user, found, (event) => CHANGES.has(event.event_code) && isWindowsAudit(event));
      return [...CHANGES].flatMap(([code, words]) => {
        const events = made.filter(({ event_code }) => event_code === code);
        const said = `${quote(user)} ${words}: ${count(events.length, "event", found?.isComplete === true)}`;
        const fields = ["user", "event_code", "timestamp"];
        return events.length === 0 ? [] : [cite(`${said} ${formatSpan(events)}.`, endsFirst(events), fields)];
      });
    },
  };
}

function isWindowsAudit(event: LogEvent): boolean {
  return /^security$|Microsoft-Windows-Security-Auditing/i.test(event.source) && !isCloudAudit(event);
}

/** Reads the sign-ins of the users and the accounts that they changed. */
export const IDENTITY_PLAN = createPlan("agent-008", {
  isTriggered: (subject) => listUsers(subject).length > 0,
  steps: (subject) =>
    listUsers(subject)
      .slice(0, MAX_USERS)
      .flatMap((user) => [searchSignIns(subject, user), searchChanges(subject, user)]),
});

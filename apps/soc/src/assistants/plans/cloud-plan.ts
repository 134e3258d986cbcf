import { unifyUser } from "../../foundation/records/entity-name.ts";
import { formatTerm } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { cite } from "../investigations/findings.ts";
import { readEvents, searchLogs } from "./answers.ts";
import { isCloudAudit, isCloudSource } from "./event-kinds.ts";
import { count, createPlan, endsFirst, formatSpan, quote, type Step, type Subject } from "./step.ts";
import { computeWindow, listAddresses, listUsers } from "./subject.ts";

const LIMITS = { users: 3, addresses: 2, accounts: 5, actions: 5 } as const;

/** Changes by attackers in a tenant, by the names of the operations. */
const CHANGES: readonly (readonly [words: string, name: RegExp])[] = [
  ["an audit setting", /trail|logging|diagnostic|audit/i],
  ["a role or a policy", /role|polic|member|privilege/i],
  ["a key or a secret", /access-?key|credential|secret|key-?pair|password/i],
  ["what is public", /public|acl\b|security-?group|firewall/i],
  ["the consent to an application", /consent/i],
  ["a mailbox rule", /(?:inbox|mailbox)-?rule/i],
];
const IS_CHANGE =
  /create|add|put|attach|update|set|delete|remove|detach|stop|disable|authori[sz]e|grant|consent|new-|modify|change/i;
const IS_READ = /^(?:get|list|describe|head|lookup|assume)/i;

function searchChanges(subject: Subject, user: string): Step {
  return {
    call: searchLogs(formatTerm("user", user), computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const made = found?.events.filter((event) => unifyUser(event.user) === unifyUser(user) && isDone(event)) ?? [];
      return CHANGES.flatMap(([words, name]) => {
        const events = made.filter((event) => findKind(event) === name);
        if (events.length === 0) return [];
        const named = [...new Map(events.toReversed().map((event) => [event.action, event])).values()]
          .toSorted((a, b) => (a.action < b.action ? -1 : 1))
          .slice(0, LIMITS.actions);
        const actions = named.map(({ action }) => quote(action)).join(", ");
        const times = count(events.length, "event", found?.isComplete === true);
        const said = `${quote(user)} changed ${words} (${actions}): ${times} ${formatSpan(events)}.`;
        return [cite(said, [...named, ...endsFirst(events)], ["user", "action", "timestamp"])];
      });
    },
  };
}

function isDone(event: LogEvent): boolean {
  return isCloudAudit(event) && !/^(?:failure|failed|denied)$/i.test(event.outcome);
}

/** Returns the first matching kind, so that an operation is described once. */
function findKind({ action }: LogEvent): RegExp | undefined {
  if (IS_READ.test(action) || !IS_CHANGE.test(action)) return undefined;
  return CHANGES.find(([, name]) => name.test(action))?.[1];
}

/** Finds an address that uses several accounts of the tenant. */
function searchAccounts(subject: Subject, address: string): Step {
  return {
    call: searchLogs(formatTerm("src_ip", address), computeWindow(subject)),
    conclude(answer) {
      const found = readEvents(answer);
      const audited = found?.events.filter((event) => isCloudAudit(event) && event.src_ip === address) ?? [];
      const accounts = new Map(audited.toReversed().map((event) => [unifyUser(event.user), event]));
      accounts.delete("");
      if (!found || accounts.size < 2) return [];
      const shown = [...accounts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
      const times = count(accounts.size, "account", found.isComplete);
      const named = shown.slice(0, LIMITS.accounts);
      const users = named.map(({ user }) => quote(user)).join(", ");
      return [cite(`The address ${address} used ${times} of the tenant: ${users}.`, named, ["src_ip", "user"])];
    },
  };
}

/** Reads the changes that the accounts made in the tenant, and the other accounts of their addresses. */
export const CLOUD_PLAN = createPlan("agent-011", {
  isTriggered: ({ alert, events }) => isCloudSource(alert.source) || events.some(isCloudAudit),
  steps: (subject) => [
    ...listUsers(subject)
      .slice(0, LIMITS.users)
      .map((user) => searchChanges(subject, user)),
    ...listAddresses(subject, "src_ip")
      .slice(0, LIMITS.addresses)
      .map((address) => searchAccounts(subject, address)),
  ],
});

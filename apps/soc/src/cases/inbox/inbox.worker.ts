import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Background } from "../../foundation/base.ts";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import { isAllowed } from "../../foundation/caller/permissions.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { Consumption, EventStream, StreamEvent } from "../../foundation/events/event-stream.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SlaNotice } from "../case-sla/sla.ts";
import type { Case } from "../cases/case.ts";
import type { InboxService } from "./inbox.service.ts";
import { createInboxWriter, type NewItem } from "./inbox.store.ts";
import { endsWaiting, listNotices, type Notice } from "./notice.ts";

export interface InboxWorkDeps {
  db: Db;
  inbox: Pick<InboxService, "announce">;
  /** Returns the title of a record; rejects with not_found if it was deleted. */
  titles: Readonly<Record<"alert" | "case", (id: string) => Promise<{ title: string }>>>;
  outbox: Pick<EventStream, "consume">;
  ids: Pick<Ids, "next">;
}

export const INBOX_CONSUMER = "inbox";
const EVENTS_BATCH_SIZE = 100;
/** Limits how many deciders get an item for each approval. */
const MAX_DECIDERS = 500;
const MANAGING_ROLES = ROLES.filter((role) => isAllowed(role, ["cases:manage"]));
const DECIDING_ROLES = ROLES.filter((role) => isAllowed(role, ["approvals:manage"]));

/** Turns events into inbox items for the people concerned. */
export function consumeForInbox({ db, inbox, titles, outbox, ids }: InboxWorkDeps): Consumption {
  /** Returns undefined if the record was deleted; no item is needed then. */
  async function findTitle({ title, subject_type, subject_id }: Notice): Promise<string | undefined> {
    if (title !== undefined) return title;
    const read = subject_type === "alert" || subject_type === "case" ? titles[subject_type] : undefined;
    try {
      return (await read?.(subject_id))?.title;
    } catch (error) {
      if (error instanceof Problem && error.kind === "not_found") return undefined;
      throw error;
    }
  }

  async function listAddressees({ to }: Notice, { actor }: StreamEvent): Promise<string[]> {
    if ("username" in to) return [to.username];
    const deciders = await createInboxWriter(db).listUsers(DECIDING_ROLES, MAX_DECIDERS);
    return deciders.filter((name) => name !== actor);
  }

  async function buildItems(event: StreamEvent): Promise<NewItem[]> {
    const items: NewItem[] = [];
    for (const notice of listNotices(event)) {
      const title = await findTitle(notice);
      if (title === undefined) continue;
      const { kind, subject_type, subject_id, change_id = event.id } = notice;
      const about = { kind, subject_type, subject_id, title, actor: event.actor ?? null, at: new Date(event.at) };
      for (const username of await listAddressees(notice, event)) {
        items.push({ id: ids.next(), username, ...about, cause: `${kind}:${change_id}` });
      }
    }
    return items;
  }

  return outbox.consume({
    name: INBOX_CONSUMER,
    from: "next",
    most: EVENTS_BATCH_SIZE,
    async handle({ events, id: delivery }) {
      const built: NewItem[] = [];
      // Sequential, so that a batch does not use all connections of the process.
      for (const event of events) built.push(...(await buildItems(event)));
      // A text may mention a name without a user.
      const users = new Set(await createInboxWriter(db).filterUsers(built.map(({ username }) => username)));
      const items = built.filter(({ username }) => users.has(username));
      const ended = events.filter(endsWaiting).map(({ subject_id }) => subject_id);
      const relieved = await db.transaction().execute(async (tx) => {
        const writer = createInboxWriter(tx);
        await writer.insert(items);
        return ended.length === 0 ? [] : writer.deleteWaiting(ended);
      });
      // After a crash the batch is delivered again with the same id. A user may be announced twice, which is harmless.
      await inbox.announce([...new Set([...items.map(({ username }) => username), ...relieved])], delivery);
    },
  });
}

export interface DueCasesDeps extends Pick<InboxWorkDeps, "db" | "inbox" | "ids"> {
  /** Lists open cases with an assignee that are due in the period, most urgent first. */
  listDue: (from: Date, to: Date) => Promise<Case[]>;
  /** Lists open cases close to or just past an SLA deadline, most urgent first. */
  listNear: () => Promise<SlaNotice[]>;
  runtime: Pick<RuntimeService, "truth">;
  clock: Pick<Clock, "sleep" | "now">;
  log: Pick<Log, "warn">;
}

const DUE_POLL_MS = 60_000;
const DUE_SOON_MS = 60 * 60_000;
/** After a shorter outage, the worker still sends reminders for cases that became due. */
const OVERDUE_MS = 7 * 24 * 60 * 60_000;

/**
 * Reminds the assignee once, an hour before a case is due, near its SLA deadline and after it. Case managers get the
 * reminders of unassigned cases. A changed deadline causes a new reminder.
 */
export function createDueReminders(deps: DueCasesDeps): Background {
  const { db, inbox, ids, listDue, listNear, runtime, clock, log } = deps;
  return createPollingLoop({
    async round() {
      const { is_database_available, is_internal_workflows_allowed } = await runtime.truth();
      if (!is_database_available || !is_internal_workflows_allowed) return;
      const now = clock.now();
      const after = (ms: number) => new Date(now.getTime() + ms);
      const due = await listDue(after(-OVERDUE_MS), after(DUE_SOON_MS));
      const near = await listNear();
      const managers = near.some(({ assignee }) => assignee === null)
        ? await createInboxWriter(db).listUsers(MANAGING_ROLES, MAX_DECIDERS)
        : [];
      const items = [
        ...due.flatMap((each) => toDueItem(each, now, ids)),
        ...near.flatMap((each) => toSlaItems(each, managers, now, ids)),
      ];
      const added = await createInboxWriter(db).insert(items);
      await inbox.announce(added, ids.next());
    },
    waitMs: DUE_POLL_MS,
    failure: "case reminders failed",
    clock,
    log,
  });
}

function toDueItem({ id, title, assignee, due_at }: Case, at: Date, ids: Pick<Ids, "next">): NewItem[] {
  if (assignee === null || due_at === null) return [];
  const cause = `due:${id}:${due_at.toISOString()}`;
  const about = { subject_type: "case", subject_id: id, title, actor: null, at };
  return [{ id: ids.next(), username: assignee, kind: "due", ...about, cause }];
}

/** The cause contains the deadline, so that items of several workers are stored once. */
function toSlaItems(notice: SlaNotice, managers: readonly string[], at: Date, ids: Pick<Ids, "next">): NewItem[] {
  const { id, title, assignee, deadline, by, state } = notice;
  const cause = `sla:${id}:${deadline}:${state}:${by.toISOString()}`;
  const words = `${state === "near" ? "Soon to" : "Late to"} ${deadline}: ${title}`;
  const about = { subject_type: "case", subject_id: id, title: words, actor: null, at };
  const usernames = assignee === null ? managers : [assignee];
  return usernames.map((username) => ({ id: ids.next(), username, kind: "due", ...about, cause }));
}

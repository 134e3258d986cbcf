import Type, { type Static, type TSchema } from "typebox";
import Value from "typebox/value";
import type { StreamEvent } from "../../foundation/events/event-stream.ts";
import type { InboxKind } from "./inbox-item.ts";

/** A notification for one person, or for everyone who may decide about approvals. */
export interface Notice {
  kind: InboxKind;
  to: { username: string } | { deciders: true };
  subject_type: "alert" | "case" | "approval" | "execution" | "user";
  subject_id: string;
  /** Undefined if the event does not carry it. */
  title: string | undefined;
  /** The bulk change that the event is part of; all its events create one item. */
  change_id?: string | undefined;
}

type NoticeSubject = Pick<Notice, "kind" | "subject_type" | "subject_id" | "change_id"> & {
  title?: string | undefined;
};

const Person = Type.Union([Type.String(), Type.Null()]);
const AlertChange = Type.Object({
  assignee: Person,
  previous_assignee: Person,
  change_id: Type.Optional(Type.String()),
});
const NewCase = Type.Object({ title: Type.String(), assignee: Person });
const Changes = Type.Object({ changes: Type.Array(Type.Object({ field: Type.String(), to: Type.String() })) });
const InCase = Type.Object({ case_id: Type.String() });
const NewTask = Type.Object({ ...InCase.properties, title: Type.String(), assignee: Person });
const ChangedTask = Type.Object({ ...InCase.properties, ...Changes.properties });
const Mentions = Type.Object({ ...InCase.properties, mentions: Type.Array(Type.String()) });
const Asked = Type.Object({ action: Type.String(), requested_by: Type.String() });
const NewPlace = Type.Object({ device: Type.String(), address: Type.String() });
const Failed = Type.Object({
  status: Type.Literal("failed"),
  playbook_id: Type.String(),
  requested_by: Type.String(),
});

/** Lists the people concerned by an event. People get no notices of their own actions. */
export function listNotices(event: StreamEvent): Notice[] {
  const notices = READERS[event.type]?.(event) ?? [];
  return notices.filter(({ to }) => "deciders" in to || to.username !== event.actor);
}

/** Reports whether an approval is no longer pending after the event. */
export function endsWaiting({ type }: Pick<StreamEvent, "type">): boolean {
  return ["approval.decided", "approval.expired", "approval.withdrawn", "approval.used"].includes(type);
}

type Reader = (event: StreamEvent) => Notice[];

function reading<Schema extends TSchema>(
  schema: Schema,
  read: (data: Static<Schema>, event: StreamEvent) => Notice[],
): Reader {
  return (event) => (Value.Check(schema, event.data) ? read(event.data, event) : []);
}

const READERS: Readonly<Record<string, Reader>> = {
  "alert.updated": reading(AlertChange, ({ assignee, previous_assignee, change_id }, { subject_id }) => {
    if (assignee === previous_assignee) return [];
    const title = change_id === undefined ? undefined : "Several alerts at once";
    return address(assignee, { kind: "assigned", subject_type: "alert", subject_id, title, change_id });
  }),
  "case.created": reading(NewCase, ({ assignee, title }, { subject_id }) =>
    address(assignee, { kind: "assigned", subject_type: "case", subject_id, title }),
  ),
  "case.updated": reading(Changes, (data, { subject_id }) =>
    address(findAssignee(data), { kind: "assigned", subject_type: "case", subject_id }),
  ),
  "task.created": reading(NewTask, ({ case_id, assignee, title }) =>
    address(assignee, { kind: "assigned", subject_type: "case", subject_id: case_id, title }),
  ),
  "task.updated": reading(ChangedTask, ({ case_id, ...data }) =>
    address(findAssignee(data), { kind: "assigned", subject_type: "case", subject_id: case_id }),
  ),
  "comment.created": reading(Mentions, listMentioned),
  "comment.updated": reading(Mentions, listMentioned),
  "approval.requested": reading(Asked, ({ action: title }, { subject_id }) => [
    { kind: "waiting", to: { deciders: true }, subject_type: "approval", subject_id, title },
  ]),
  "approval.decided": reading(Asked, toDecided),
  "approval.expired": reading(Asked, toDecided),
  "auth.new_place": reading(NewPlace, ({ device, address: from }, { subject_id }) =>
    address(subject_id, {
      kind: "sign_in",
      subject_type: "user",
      subject_id,
      title: `Sign-in from a new place: ${device}, ${from}`,
    }),
  ),
  "execution.finished": reading(Failed, ({ playbook_id: title, requested_by }, { subject_id }) =>
    address(requested_by, { kind: "failed", subject_type: "execution", subject_id, title }),
  ),
};

function address(username: string | null, { title, ...about }: NoticeSubject): Notice[] {
  return username === null ? [] : [{ ...about, title, to: { username } }];
}

function findAssignee({ changes }: Static<typeof Changes>): string | null {
  return changes.find(({ field }) => field === "assignee")?.to ?? null;
}

function listMentioned({ case_id, mentions }: Static<typeof Mentions>): Notice[] {
  return mentions.flatMap((name) => address(name, { kind: "mentioned", subject_type: "case", subject_id: case_id }));
}

function toDecided({ action: title, requested_by }: Static<typeof Asked>, { subject_id }: StreamEvent): Notice[] {
  return address(requested_by, { kind: "decided", subject_type: "approval", subject_id, title });
}

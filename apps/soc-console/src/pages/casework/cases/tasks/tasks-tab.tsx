import { ChevronDown, ChevronUp, Trash2 } from "lucide-react";
import { type SubmitEvent, useCallback, useMemo, useRef, useState } from "react";
import { type Changes, useChanges } from "../../../../app/changes/use-changes.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useListKeys } from "../../../../app/lists/use-list-keys.ts";
import { FailedPart } from "../../../../app/page/page.tsx";
import { useStatusText } from "../../../../app/status/status.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { SelectField, TextField } from "../../../../design/field.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import type { Selection } from "../../../../design/list/selection.ts";
import type { ReadListPages } from "../../../../design/list/use-list-pages.ts";
import { WindowList } from "../../../../design/list/window-list.tsx";
import { StatusDot } from "../../../../design/severity.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type CasePage, type Task, useCasesClient, usePeople } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { useItemPages } from "../use-item-pages.ts";
import { lastPosition, moveTask } from "./task-order.ts";
import { tasksPhrases } from "./tasks-phrases.ts";

const readKey = (task: Task) => task.id;
const DOTS = {
  todo: ["ring", "plain"],
  in_progress: ["half", "running"],
  blocked: ["cross", "failed"],
  done: ["check", "ok"],
} as const;
const STATUSES = ["todo", "in_progress", "blocked", "done"] as const;

function listRows(pages: ReadListPages<Task>): Task[] {
  return Array.from({ length: pages.count }, (_, at) => pages.rowAt(at)).filter((task) => task !== undefined);
}

type TaskEdit = Parameters<ReturnType<typeof useCasesClient>["editTask"]>[2];

/** Changes tasks, based on the displayed version. */
function useTaskChanges(caseId: string, pages: ReadListPages<Task>, { send }: Changes) {
  const client = useCasesClient();
  /** Changes of one user are sent sequentially, so that quick changes do not conflict with each other. */
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const newest = useRef(new Map<string, Task>());
  const edit = (task: Task, request: TaskEdit | ((task: Task) => TaskEdit)): Promise<Task | undefined> => {
    const next = last.current.then(async () => {
      const known = newest.current.get(task.id);
      const before = known && known.updated_at > task.updated_at ? known : task;
      const wanted = typeof request === "function" ? request(before) : request;
      const changed = await send(() => client.editTask(caseId, before, wanted), { before });
      if (!changed) return undefined;
      newest.current.set(changed.id, changed);
      pages.patch((each) => (each.id === changed.id ? changed : each));
      return changed;
    });
    last.current = next.catch(() => undefined);
    return next;
  };
  return {
    edit,
    toggle: (task: Task | undefined) =>
      task && edit(task, ({ status }) => ({ status: status === "done" ? "todo" : "done" })),
    async move(task: Task | undefined, by: 1 | -1) {
      const tasks = listRows(pages);
      const from = tasks.findIndex(({ id }) => id === task?.id);
      for (const { id, position } of moveTask(tasks, from, from + by)) {
        const changing = tasks.find((each) => each.id === id);
        if (!changing || !(await edit(changing, { position }))) break;
      }
      pages.reload();
    },
    add: async (title: string) => {
      const added = await send(() => client.addTask(caseId, { title, position: lastPosition(listRows(pages)) }));
      if (added) pages.reload();
      return added !== undefined;
    },
    async remove(task: Task | undefined) {
      if (task && (await send(() => client.removeTask(caseId, task.id)))) pages.reload();
    },
  };
}

export function TasksTab({ page: { case: record } }: { page: CasePage }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(tasksPhrases) };
  const client = useCasesClient();
  const { id } = record;
  const pages = useItemPages<Task>({
    caseId: id,
    noun: "task",
    read: (query, signal) => client.tasks(id, { ...query, sort: "position" }, signal),
  });
  const changes = useChanges();
  const mayChange = changes.mayWrite && record.merged_into === null;
  const tasks = useTaskChanges(id, pages, changes);
  const keys = useListKeys(pages, readKey, {
    noun: "tasks",
    group: words.tasks,
    onOpen: () => undefined,
    isWithoutSelect: true,
  });
  const box = useRef<HTMLInputElement>(null);
  const { current } = keys;
  const guard = { group: words.tasks, isEnabled: changes.reason === undefined, reason: changes.reason };
  useCommands([
    ...keys.commands,
    ...(mayChange
      ? [
          {
            id: "tasks.new",
            label: words.newTask,
            keys: ["n"],
            ...guard,
            isInStatusLine: true,
            run: () => box.current?.focus(),
          },
          {
            id: "tasks.done",
            label: words.done,
            keys: ["x"],
            ...guard,
            isInStatusLine: true,
            run: () => void tasks.toggle(current),
          },
          { id: "tasks.down", label: words.down, keys: ["alt+j"], ...guard, run: () => tasks.move(current, 1) },
          { id: "tasks.up", label: words.up, keys: ["alt+k"], ...guard, run: () => tasks.move(current, -1) },
          { id: "tasks.remove", label: words.remove, keys: ["Delete"], ...guard, run: () => tasks.remove(current) },
        ]
      : []),
  ]);
  useStatusText(fill(words.shown, { shown: pages.count, total: pages.total ?? pages.count }));
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "title", title: words.title, width: "minmax(160px, 1fr)" },
      { key: "status", title: words.status, width: "112px" },
      { key: "assignee", title: words.assignee, width: "120px" },
    ],
    [words.title, words.status, words.assignee],
  );
  const render = useCallback(
    (task: Task) => {
      const [shape, tone] = DOTS[task.status];
      return (
        <>
          <span className={task.status === "done" ? "list-title case-task-done" : "list-title list-strong"}>
            <SafeText>{task.title}</SafeText>
          </span>
          <span className="cases-status">
            <StatusDot shape={shape} tone={tone} />
            {words.statuses[task.status]}
          </span>
          <span className="list-title soft">{task.assignee}</span>
        </>
      );
    },
    [words.statuses],
  );
  // The icon of a row shows whether the task is done; a click toggles it.
  const done: Selection = useMemo(
    () => ({
      kind: "some",
      ids: new Set(listRows(pages).flatMap((task) => (task.status === "done" ? [task.id] : []))),
    }),
    [pages],
  );
  const canChange = mayChange && changes.reason === undefined;
  return (
    <div className="case-list case-tasks">
      {mayChange && <NewTask ref={box} reason={changes.reason} onAdd={tasks.add} />}
      {current && canChange && (
        <TaskBar
          task={current}
          onEdit={(request) => void tasks.edit(current, request)}
          onMove={(by) => void tasks.move(current, by)}
          onRemove={() => void tasks.remove(current)}
        />
      )}
      {pages.error !== undefined && pages.count === 0 ? (
        <FailedPart error={pages.error} onRetry={pages.reload} />
      ) : (
        <WindowList
          label={words.tasks}
          columns={columns}
          pages={pages}
          rowKey={readKey}
          renderRow={render}
          {...keys.list}
          selected={done}
          onToggle={(key) => canChange && void tasks.toggle(listRows(pages).find((task) => task.id === key))}
          onExtend={undefined}
          onOpen={() => undefined}
          checkLabel={(task) => fill(words.toggle, { title: safeText(task.title) })}
          empty={<EmptyState title={words.empty} text={canChange ? words.emptyText : undefined} />}
        />
      )}
    </div>
  );
}

interface NewTaskProps {
  ref: React.Ref<HTMLInputElement>;
  reason: string | undefined;
  onAdd: (title: string) => Promise<boolean>;
}

function NewTask({ ref, reason, onAdd }: NewTaskProps) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(tasksPhrases) };
  const [title, setTitle] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (title.trim() !== "" && (await onAdd(title.trim()))) setTitle("");
  };
  return (
    <form className="case-inline-form" onSubmit={(event) => void submit(event)}>
      <TextField
        ref={ref}
        label={words.newTask}
        isLabelHidden
        maxLength={500}
        placeholder={words.newTaskHint}
        disabled={reason !== undefined}
        title={reason}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Button type="submit" disabled={reason !== undefined || title.trim() === ""}>
        {words.add}
      </Button>
    </form>
  );
}

interface TaskBarProps {
  task: Task;
  onEdit: (request: { status?: Task["status"]; assignee?: string | null; title?: string }) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** Commands on the task under the cursor. */
function TaskBar({ task, onEdit, onMove, onRemove }: TaskBarProps) {
  const words = usePhrases(tasksPhrases);
  const names = usePeople().map(({ username }) => username);
  const assignees = task.assignee === null || names.includes(task.assignee) ? names : [task.assignee, ...names];
  return (
    <div className="case-task-bar">
      <TextField
        key={`${task.id} ${task.title}`}
        label={words.rename}
        isLabelHidden
        maxLength={500}
        defaultValue={task.title}
        onBlur={(event) => {
          const title = event.currentTarget.value.trim();
          if (title !== "" && title !== task.title) onEdit({ title });
        }}
      />
      <SelectField
        label={words.status}
        isLabelHidden
        value={task.status}
        onChange={(status) => onEdit({ status })}
        options={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
      />
      <SelectField
        label={words.assignee}
        isLabelHidden
        value={task.assignee ?? ""}
        onChange={(assignee) => onEdit({ assignee: assignee || null })}
        options={[{ value: "", label: words.unassigned }, ...assignees.map((value) => ({ value, label: value }))]}
      />
      <IconButton label={words.up} icon={<ChevronUp />} keys={["Alt", "K"]} onClick={() => onMove(-1)} />
      <IconButton label={words.down} icon={<ChevronDown />} keys={["Alt", "J"]} onClick={() => onMove(1)} />
      <IconButton label={words.remove} icon={<Trash2 />} keys={["Delete"]} onClick={onRemove} />
    </div>
  );
}

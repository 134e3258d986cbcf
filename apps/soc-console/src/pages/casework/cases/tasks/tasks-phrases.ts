import type { Translations } from "../../../../app/language/translations.ts";
import type { Task } from "../cases-client.ts";

export interface TasksPhrases {
  tasks: string;
  title: string;
  status: string;
  assignee: string;
  statuses: Record<Task["status"], string>;
  newTask: string;
  newTaskHint: string;
  done: string;
  up: string;
  down: string;
  remove: string;
  rename: string;
  empty: string;
  emptyText: string;
  unassigned: string;
  toggle: string;
  order: string;
}

export const tasksPhrases: Translations<TasksPhrases> = {
  en: {
    tasks: "Tasks",
    title: "Task",
    status: "Status",
    assignee: "Assignee",
    statuses: { todo: "to do", in_progress: "in progress", blocked: "blocked", done: "done" },
    newTask: "New task",
    newTaskHint: "What is to be done? Enter adds it.",
    done: "Done or not",
    up: "Move up",
    down: "Move down",
    remove: "Remove the task",
    rename: "Rename the task",
    empty: "No tasks",
    emptyText: "Press n and write what is to be done.",
    unassigned: "Unassigned",
    toggle: "Done: {title}",
    order: "Order",
  },
  ar: {
    tasks: "المهام",
    title: "المهمة",
    status: "الحالة",
    assignee: "المسؤول",
    statuses: { todo: "للإنجاز", in_progress: "قيد التنفيذ", blocked: "متوقفة", done: "منجزة" },
    newTask: "مهمة جديدة",
    newTaskHint: "ما المطلوب؟ يضيفها Enter.",
    done: "منجزة أم لا",
    up: "إلى الأعلى",
    down: "إلى الأسفل",
    remove: "أزل المهمة",
    rename: "أعد تسمية المهمة",
    empty: "لا مهام",
    emptyText: "اضغط n واكتب المطلوب.",
    unassigned: "بلا مسؤول",
    toggle: "منجزة: {title}",
    order: "الترتيب",
  },
};

import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
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
};

const arabic: Phrases<typeof english> = {
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
};

export const tasksPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

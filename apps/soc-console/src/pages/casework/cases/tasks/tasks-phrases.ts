import { translations } from "../../../../app/language/translations.ts";

export const tasksPhrases = translations({
  tasks: ["Tasks", "المهام"],
  title: ["Task", "المهمة"],
  status: ["Status", "الحالة"],
  assignee: ["Assignee", "المسؤول"],
  statuses: {
    todo: ["to do", "للإنجاز"],
    in_progress: ["in progress", "قيد التنفيذ"],
    blocked: ["blocked", "متوقفة"],
    done: ["done", "منجزة"],
  },
  newTask: ["New task", "مهمة جديدة"],
  newTaskHint: ["What is to be done? Enter adds it.", "ما المطلوب؟ يضيفها Enter."],
  done: ["Done or not", "منجزة أم لا"],
  up: ["Move up", "إلى الأعلى"],
  down: ["Move down", "إلى الأسفل"],
  remove: ["Remove the task", "أزل المهمة"],
  rename: ["Rename the task", "أعد تسمية المهمة"],
  empty: ["No tasks", "لا مهام"],
  emptyText: ["Press n and write what is to be done.", "اضغط n واكتب المطلوب."],
  unassigned: ["Unassigned", "بلا مسؤول"],
  toggle: ["Done: {title}", "منجزة: {title}"],
  order: ["Order", "الترتيب"],
});

import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { type CaseTemplate, NEWEST_FIRST } from "./case-template.ts";
import type { CaseTemplatesStore } from "./case-templates.store.ts";

/** One template for each case of the story. */
export function createShowcaseCaseTemplates({ cases }: Pick<Showcase, "cases">): CaseTemplatesStore {
  const templates = cases.map(
    ({ id, title, description, severity, tags, tasks, timeline, created_at }): CaseTemplate => ({
      id,
      name: `Like "${title}"`,
      title_prefix: "",
      description,
      severity,
      tags,
      tasks: tasks.map((task) => ({ title: task.title })),
      sla: null,
      created_by: timeline[0]?.agent ?? "",
      created_at,
      updated_at: created_at,
    }),
  );
  return {
    list: async (query) => pageInMemory(templates, NEWEST_FIRST, query),
    find: async (template_id) => templates.find(({ id }) => id === template_id),
  };
}

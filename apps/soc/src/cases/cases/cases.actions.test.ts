import { expect, it } from "vitest";
import { ALL_SITES } from "../../foundation/caller/caller.ts";

import { createCaseActions } from "./cases.actions.ts";

const unused = async () => {
  throw new Error("a description changes nothing");
};
const actions = createCaseActions({
  alerts: { lockOne: unused },
  cases: { open: unused, find: unused, addSite: unused, listSitesIn: unused },
  items: { addComment: unused, addTask: unused },
});

const context = {
  execution_id: "e",
  playbook_id: "p",
  step_id: "s",
  scope: ALL_SITES,
  actor: "layla",
  alert_id: null,
  case_id: null,
};

it.each([
  ["case.create", { title: "Theft" }, "Opens a case 'Theft' unless one exists"],
  ["case.comment", { body: "Host was isolated." }, "Adds a comment to the case: Host was isolated."],
  ["case.task", { title: "Call the owner" }, "Adds a task to the case: Call the owner"],
])("shows an approver everything that %s writes", async (name, params, summary) => {
  const action = actions.find((each) => each.name === name);
  expect(await action?.describe(params, context)).toEqual({ summary, sends: [] });
});

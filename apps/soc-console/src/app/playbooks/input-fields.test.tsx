import { useState } from "react";
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type ShowOptions, show } from "../../../testing/show.tsx";
import { ApiError } from "../server/api-error.ts";
import { InputFields } from "./input-fields.tsx";
import { type InputSpec, useInputs } from "./use-inputs.ts";

const INPUTS: readonly InputSpec[] = [
  { name: "host", type: "text", description: "the host to isolate" },
  { name: "minutes", type: "number", description: "how long" },
  { name: "notify", type: "boolean", description: "whether to notify" },
  { name: "users", type: "list", description: "who" },
];

function Form({ optional = [], refusal }: { optional?: readonly string[]; refusal?: ApiError }) {
  const form = useInputs(INPUTS);
  const [values, setValues] = useState<string>();
  const isRequired = ({ name }: InputSpec) => !optional.includes(name);
  const start = () => {
    const read = form.read(isRequired);
    setValues(read ? JSON.stringify(read) : "not started");
    if (read && refusal && !form.refuse(refusal)) setValues("refused elsewhere");
  };
  return (
    <>
      <InputFields form={form} isRequired={isRequired} />
      <button type="button" onClick={start}>
        Start
      </button>
      <output>{values}</output>
    </>
  );
}

const host = page.getByRole("textbox", { name: "host" });
const minutes = page.getByRole("spinbutton", { name: "minutes" });
const notify = page.getByRole("combobox", { name: "notify" });
const users = page.getByRole("textbox", { name: "users" });
const start = () => page.getByRole("button", { name: "Start" }).click();

async function fillAll() {
  await host.fill("ws-4");
  await minutes.fill("30");
  await notify.selectOptions("true");
  await users.fill("noor, layla،  ");
}

describe("the fields of a playbook's inputs", () => {
  it("marks each missing input, focuses the first of them, and does not start", async () => {
    await show(<Form />);
    await minutes.fill("30");
    await start();
    await expect.element(host).toHaveFocus();
    for (const field of [host, notify, users]) {
      await expect.element(field).toHaveAttribute("aria-invalid", "true");
      await expect.element(field).toHaveAccessibleDescription("A value is required.");
    }
    await expect.element(minutes).not.toHaveAttribute("aria-invalid");
    await expect.element(page.getByText("not started")).toBeVisible();
  });

  it("removes the mark of the field that is filled, and keeps the others", async () => {
    await show(<Form />);
    await start();
    await expect.element(host).toHaveFocus();
    await userEvent.keyboard("ws-4");
    await expect.element(host).not.toHaveAttribute("aria-invalid");
    await expect.element(users).toHaveAttribute("aria-invalid", "true");
  });

  it("reads each value by its type", async () => {
    await show(<Form />);
    await fillAll();
    await start();
    await expect
      .element(page.getByText('{"host":"ws-4","minutes":30,"notify":true,"users":["noor","layla"]}'))
      .toBeVisible();
  });

  it("leaves out optional inputs that are empty, and does not call them required", async () => {
    await show(<Form optional={["minutes", "notify", "users"]} />);
    await expect.element(host).toHaveAccessibleDescription("the host to isolate · required");
    await expect.element(minutes).toHaveAccessibleDescription("how long");
    await expect.element(minutes).not.toBeRequired();
    await host.fill("ws-4");
    await start();
    await expect.element(page.getByText('{"host":"ws-4"}', { exact: true })).toBeVisible();
  });

  it("does not choose a boolean for the user", async () => {
    await show(<Form />);
    await expect.element(notify).toHaveDisplayValue("Choose a value");
  });

  it("shows a refusal of the service at its field", async () => {
    const refusal = new ApiError({
      status: 400,
      field: "parameters.minutes",
      detail: "parameters.minutes: must be at most 1440",
    });
    await show(<Form refusal={refusal} />);
    await fillAll();
    await start();
    await expect.element(minutes).toHaveAccessibleDescription("Must be at most 1440.");
    await expect.element(minutes).toHaveFocus();
  });

  it("writes values from left to right in Arabic, and its marks in Arabic", async () => {
    const options: ShowOptions = { language: "ar" };
    await show(<Form />, options);
    await start();
    await expect.element(host).toHaveFocus();
    expect(getComputedStyle(host.element()).direction).toBe("ltr");
    await expect.element(host).not.toHaveAccessibleDescription("A value is required.");
  });
});

import { render } from "preact";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { TextField } from "./fields.tsx";

it("names the field and says what is wrong with it", async () => {
  const root = document.body.appendChild(document.createElement("div"));
  render(<TextField label="Name" value="" onInput={() => undefined} error="The name is missing" />, root);
  const field = page.getByRole("textbox", { name: "Name" });
  await expect.element(field).toHaveAccessibleDescription("The name is missing");
  await expect.element(field).toHaveAttribute("aria-invalid", "true");
  render(null, root);
});

import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answers, ME, NEVER, refuse, show } from "../../../testing/show.tsx";
import { useSessionState } from "../../app/context/app-context.ts";
import { SignInDialog } from "./sign-in/sign-in-dialog.tsx";
import { StepUpDialog } from "./step-up/step-up-dialog.tsx";

const FACTORS = { items: [{ id: "f1", kind: "totp", name: "App" }] };
const METHODS = { password: { is_break_glass_only: false }, passkey: { is_available: false }, providers: [] };

function Ended() {
  return <SignInDialog isOpen={useSessionState().state === "ended"} />;
}

// docs/operations/console.md, "Sessions": the console asks over the page, and what you typed is still there.
describe("the dialog of a session that has ended", () => {
  const password = page.getByLabelText("Password");
  const dialog = page.getByRole("dialog", { name: "Sign in again" });

  async function endSession(answers: Answers) {
    const shown = await show(
      <>
        <textarea aria-label="Comment" />
        <Ended />
      </>,
      { answers: { "GET /auth/methods": METHODS, "GET /users/me": ME, ...answers } },
    );
    await page.getByRole("textbox", { name: "Comment" }).fill("half a sentence");
    shown.session.end();
    await expect.element(dialog).toBeVisible();
    return shown;
  }

  it("asks for the password of the same user, and closes on the page as it was", async () => {
    const { requests } = await endSession({ "POST /auth/token": { access_token: "t", token_type: "bearer" } });
    await expect.element(page.getByRole("textbox", { name: "Username" })).toHaveValue("noor");
    await expect.element(password).toHaveFocus();
    await userEvent.keyboard("correct horse{Enter}");
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByRole("textbox", { name: "Comment" })).toHaveValue("half a sentence");
    expect(requests.find(({ name }) => name === "POST /auth/token")?.body).toEqual({
      username: "noor",
      password: "correct horse",
    });
  });

  it("stays open after a wrong password, states it as an alert and keeps what was typed", async () => {
    await endSession({ "POST /auth/token": refuse(401, "invalid credentials") });
    await password.fill("wrong");
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByRole("alert")).toHaveTextContent("The username or the password is wrong.");
    await expect.element(password).toHaveValue("wrong");
    await expect.element(dialog).toBeVisible();
  });

  it("asks for the code when a second factor is missing, and sends both together", async () => {
    let attempts = 0;
    const { requests } = await endSession({
      "POST /auth/token": () => {
        attempts += 1;
        return attempts === 1
          ? refuse(403, "a second factor is missing", { "problem-code": "factor_missing" })
          : { access_token: "t", token_type: "bearer" };
      },
    });
    await password.fill("correct horse");
    await userEvent.keyboard("{Enter}");
    const code = page.getByRole("textbox", { name: /Code of your app/ });
    await expect.element(code).toHaveFocus();
    await userEvent.keyboard("123456{Enter}");
    await expect.element(dialog).not.toBeInTheDocument();
    expect(requests.filter(({ name }) => name === "POST /auth/token").at(-1)?.body).toEqual({
      username: "noor",
      password: "correct horse",
      code: "123456",
    });
  });

  it("states that the other ways to sign in could not be read", async () => {
    await endSession({ "GET /auth/methods": refuse(503, "database is not available") });
    await expect.element(page.getByText(/did not say which other ways/)).toBeVisible();
    await expect.element(password).toBeVisible();
  });
});

describe("the dialog for a fresh second factor", () => {
  const code = page.getByRole("textbox", { name: /Code of your app/ });
  const dialog = page.getByRole("dialog", { name: "Show your second factor" });

  async function askFactor(answers: Answers) {
    const { stepUp, requests } = await show(<StepUpDialog />, { answers });
    const proven = stepUp.ask();
    await expect.element(dialog).toBeVisible();
    return { proven, requests };
  }

  it("lets the waiting request go on after the right code", async () => {
    const { proven, requests } = await askFactor({ "GET /me/factors": FACTORS, "POST /auth/step-up": {} });
    await code.fill(" 123456 ");
    await userEvent.keyboard("{Enter}");
    expect(await proven).toBe(true);
    await expect.element(dialog).not.toBeInTheDocument();
    expect(requests.find(({ name }) => name === "POST /auth/step-up")?.body).toEqual({ code: "123456" });
  });

  it("refuses the waiting request when it is closed", async () => {
    const { proven } = await askFactor({ "GET /me/factors": FACTORS });
    await expect.element(code).toBeVisible();
    await userEvent.keyboard("{Escape}");
    expect(await proven).toBe(false);
  });

  it("states a wrong code at its field, and asks again", async () => {
    await askFactor({ "GET /me/factors": FACTORS, "POST /auth/step-up": refuse(400, "code: is wrong") });
    await code.fill("000000");
    await userEvent.keyboard("{Enter}");
    await expect.element(code).toHaveAccessibleDescription(/wrong or was used already/);
    await expect.element(dialog).toBeVisible();
  });

  it("offers to add a factor only when the service has said that there is none", async () => {
    await askFactor({ "GET /me/factors": { items: [] } });
    await expect.element(page.getByText("You have no second factor")).toBeVisible();
    await expect
      .element(page.getByRole("link", { name: "Add a second factor" }))
      .toHaveAttribute("href", "/settings/me");
  });

  it("asks for a code while the factors are not read, and when they could not be read", async () => {
    await askFactor({ "GET /me/factors": refuse(503, "database is not available") });
    await expect.element(code).toBeVisible();
    await expect.element(page.getByText("You have no second factor")).not.toBeInTheDocument();
  });

  it("shows neither the form nor the offer while the factors are read", async () => {
    await askFactor({ "GET /me/factors": NEVER });
    await expect.element(code).not.toBeInTheDocument();
    await expect.element(page.getByText("You have no second factor")).not.toBeInTheDocument();
  });
});

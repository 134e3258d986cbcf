import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import { show } from "../../testing/show.tsx";
import { LimitNotice } from "./limit-notice.tsx";

test("says how long requests wait for the limit, and nothing when none waits", async () => {
  const { pace } = await show(<LimitNotice />);
  expect(screen.getByText(/Rate limit reached/).query()).toBeNull();
  pace.note({ limit: 100, remaining: 0, resetSeconds: 20 });
  void pace.take("visible");
  await expect.element(screen.getByText(/Rate limit reached. Resumes in (?:20|19) s/)).toBeVisible();
  pace.note({ limit: 100, remaining: 99, resetSeconds: 60 });
  await expect.poll(() => screen.getByText(/Rate limit reached/).query()).toBeNull();
});

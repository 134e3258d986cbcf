import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { TabLinks } from "./tabs.tsx";

async function showTabs() {
  const chosen: string[] = [];
  await render(
    <TabLinks
      label="Case"
      items={[
        { label: "Timeline", isCurrent: true, href: "#timeline", onSelect: () => chosen.push("Timeline") },
        { label: "Alerts", count: 3, isCurrent: false, href: "#alerts", onSelect: () => chosen.push("Alerts") },
        { label: "Notes", isCurrent: false, onSelect: () => chosen.push("Notes") },
      ]}
    />,
  );
  return chosen;
}

it("names the navigation and marks the current page", async () => {
  await showTabs();
  const tabs = page.getByRole("navigation", { name: "Case" });
  await expect.element(tabs.getByRole("link", { name: "Timeline" })).toHaveAttribute("aria-current", "page");
  await expect.element(tabs.getByRole("link", { name: "Alerts" })).not.toHaveAttribute("aria-current");
});

it("shows a count, and none for a tab whose number is unknown", async () => {
  await showTabs();
  await expect.element(page.getByRole("link", { name: "Alerts" })).toHaveTextContent("Alerts3");
  await expect.element(page.getByRole("link", { name: "Timeline" })).toHaveTextContent(/^Timeline$/);
});

it("selects within the page by a click, and does not follow the address", async () => {
  const chosen = await showTabs();
  const before = location.hash;
  await page.getByRole("link", { name: "Alerts" }).click();
  await page.getByRole("button", { name: "Notes" }).click();
  expect(chosen).toEqual(["Alerts", "Notes"]);
  expect(location.hash).toBe(before);
});

it("leaves a click with Ctrl to the browser, which opens another tab", async () => {
  const chosen = await showTabs();
  let isLeft: boolean | undefined;
  const note = (event: MouseEvent) => {
    isLeft = !event.defaultPrevented;
    event.preventDefault();
  };
  document.addEventListener("click", note, { once: true });
  await page.getByRole("link", { name: "Alerts" }).click({ modifiers: ["Control"] });
  expect([isLeft, chosen]).toEqual([true, []]);
});

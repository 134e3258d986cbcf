import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../../../testing/show.tsx";
import { type PlaceChoice, PlacePicker } from "./place-picker.tsx";

const onPick = vi.fn<(picked: PlaceChoice) => void>();
function open(language: "en" | "ar" = "en") {
  onPick.mockClear();
  show(<PlacePicker onPick={onPick} />, { language });
}
const list = page.getByRole("list", { name: "Cities found" });
const rows = list.getByRole("button");
const city = page.getByRole("searchbox", { name: "City" });

describe("the choice of a place", () => {
  it.each(["Amman", "عمان", "amm"])(
    "finds Amman by %s, and picks its position, time zone and country",
    async (typed) => {
      open();
      await expect.element(list).toBeInTheDocument();
      await userEvent.fill(city, typed);
      await userEvent.click(list.getByRole("button", { name: /^Amman / }));
      const picked = onPick.mock.calls[0]?.[0];
      // Amman: 31.95° N, 35.93° E.
      expect(picked).toMatchObject({ zone: "Asia/Amman", country: "JO" });
      expect(picked?.lat).toBeCloseTo(31.95, 0);
      expect(picked?.lng).toBeCloseTo(35.93, 0);
    },
  );

  it("shows at most six cities, and says how many to a screen reader", async () => {
    open();
    await expect.element(list).toBeInTheDocument();
    await userEvent.fill(city, "a");
    await expect.poll(() => rows.elements().length).toBeGreaterThan(1);
    expect(rows.elements().length).toBeLessThanOrEqual(6);
    await expect.element(page.getByRole("status").first()).toHaveTextContent(/^\d cit(y|ies) found$/);
  });

  it("distinguishes a city that it does not know from an empty field", async () => {
    open();
    await expect.element(list).toBeInTheDocument();
    const unknown = page.getByText("City not found. Try a larger city nearby, or enter coordinates.");
    await expect.element(unknown).not.toBeInTheDocument();
    await userEvent.fill(city, "zzzzqq");
    await expect.element(unknown).toBeVisible();
    expect(rows.elements()).toHaveLength(0);
    await userEvent.fill(city, " ");
    await expect.element(unknown).not.toBeInTheDocument();
  });

  it("names the fault of each coordinate, and picks nothing until both are valid", async () => {
    open();
    await userEvent.click(page.getByRole("button", { name: "Enter coordinates" }));
    const [latitude, longitude] = [
      page.getByRole("textbox", { name: "Latitude" }),
      page.getByRole("textbox", { name: "Longitude" }),
    ];
    const use = page.getByRole("button", { name: "Use these coordinates" });
    await userEvent.fill(latitude, "91");
    await userEvent.fill(longitude, "39.83");
    await userEvent.click(use);
    await expect.element(latitude).toHaveAccessibleDescription("Enter a number from -90 to 90.");
    await expect.element(longitude).toHaveAttribute("aria-invalid", "false");
    expect(onPick).not.toHaveBeenCalled();
    // Makkah, whose time zone is not that of the browser.
    await userEvent.fill(latitude, "21.42");
    await userEvent.click(use);
    expect(onPick).toHaveBeenCalledExactlyOnceWith({ lat: 21.42, lng: 39.83, zone: "Asia/Riyadh", country: "SA" });
  });

  it("shows a city by its Arabic name first in Arabic", async () => {
    open("ar");
    await expect.element(page.getByRole("list", { name: "المدن الموجودة" })).toBeInTheDocument();
    await userEvent.fill(page.getByRole("searchbox", { name: "المدينة" }), "Amman");
    await expect.element(page.getByRole("button", { name: /^عمّ?ان / })).toBeVisible();
  });
});

import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../../../testing/show.tsx";
import { FilterLine, FilterSearch, FilterSelect } from "./filter-line.tsx";

const search = page.getByRole("searchbox", { name: "Search alerts" });
const severity = page.getByRole("combobox", { name: "Severity" });

const showFilters = (address = "/") =>
  show(
    <FilterLine>
      <FilterSearch label="Search alerts" command={{ id: "alerts.search", label: "Search", group: "Alerts" }} />
      <FilterSelect
        name="severity"
        label="Severity"
        any="Every severity"
        options={[{ value: "high", label: "High" }]}
      />
    </FilterLine>,
    { address },
  );

it("shows the filters that the address has", async () => {
  await showFilters("/?q=beacon&severity=high");
  await expect.element(search).toHaveValue("beacon");
  await expect.element(severity).toHaveDisplayValue("High");
});

// docs/operations/console.md, "Keys": `/` filters.
it("reaches the search by / and writes it to the address when the typing pauses", async () => {
  const { address } = await showFilters("/?severity=high");
  await userEvent.keyboard("/");
  await expect.element(search).toHaveFocus();
  await userEvent.keyboard(" ws-4 ");
  await expect.poll(address).toBe("?severity=high&q=ws-4");
});

it("removes a parameter whose filter is cleared", async () => {
  const { address } = await showFilters("/?q=beacon&severity=high");
  await severity.selectOptions("Every severity");
  await expect.poll(address).toBe("?q=beacon");
  await search.clear();
  await expect.poll(address).toBe("");
});

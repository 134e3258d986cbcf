import { useState } from "react";
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../../../testing/show.tsx";
import { YamlEditor } from "../yaml-editor/yaml-editor.tsx";
import type { YamlProblem } from "../yaml-editor/yaml-editor-props.ts";
import { QueryEditor } from "./query-editor.tsx";
import type { QueryEditorProps } from "./query-editor-props.ts";

const FIRST: readonly YamlProblem[] = [];

/** The text field of an editor stands in a shadow root. */
const query = page.getByRole("textbox", { name: "Query" });
const yaml = page.getByRole("textbox", { name: "Playbook" });
const isLoaded = () => document.querySelector(".query-editor-box, .yaml-editor-box")?.shadowRoot != null;

interface QueryPageProps extends Partial<QueryEditorProps> {
  runs: string[];
  first?: string;
}

function QueryPage({ runs, first = "", ...rest }: QueryPageProps) {
  const [value, setValue] = useState(first);
  return (
    <>
      <QueryEditor label="Query" value={value} onChange={setValue} onRun={(text) => runs.push(text)} {...rest} />
      <p data-testid="value">{value}</p>
      <button type="button" onClick={() => setValue("user:noor")}>
        Set
      </button>
    </>
  );
}

async function showQuery(props: Partial<QueryPageProps> = {}) {
  const runs: string[] = [];
  await show(<QueryPage runs={runs} {...props} />);
  await expect.poll(isLoaded).toBe(true);
  await query.click();
  return runs;
}

const value = page.getByTestId("value");

describe("the query editor", () => {
  // docs/operations/console.md: `Ctrl+Enter` runs, `↑` in an empty editor is the history.
  it("takes what is typed, and runs it by Ctrl and Enter", async () => {
    const runs = await showQuery();
    await userEvent.keyboard("host:ws-4");
    await expect.element(value).toHaveTextContent("host:ws-4");
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await expect.poll(() => runs).toEqual(["host:ws-4"]);
  });

  it("does not run a query with a fault, and states the fault", async () => {
    const runs = await showQuery();
    await userEvent.keyboard("hosst:ws-4 ");
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await expect.element(page.getByRole("status").filter({ hasText: "hosst" })).toBeVisible();
    expect(runs).toEqual([]);
  });

  it("brings the newest query by the arrow up, the one before by another, and goes back by the arrow down", async () => {
    await showQuery({ history: ["user:layla", "host:ws-4"] });
    await userEvent.keyboard("{ArrowUp}");
    await expect.element(value).toHaveTextContent("user:layla");
    await userEvent.keyboard("{ArrowUp}");
    await expect.element(value).toHaveTextContent("host:ws-4");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    await expect.element(value).toHaveTextContent(/^$/);
  });

  it("completes a field by the arrows and Enter", async () => {
    await showQuery();
    await userEvent.keyboard("dst_i");
    const options = page.getByRole("option", { name: /^dst_ip/ });
    await expect.element(options).toBeVisible();
    // The list ignores keys of its first 75 ms, which could be meant for the text.
    const select = async () => {
      await userEvent.keyboard("{ArrowDown}");
      return options.element().getAttribute("aria-selected");
    };
    await expect.poll(select).toBe("true");
    await userEvent.keyboard("{Enter}");
    await expect.element(value).toHaveTextContent("dst_ip:");
  });

  it("has one line and runs by Enter where a single line is wanted", async () => {
    const runs = await showQuery({ isSingleLine: true, first: "host:ws-4" });
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => runs).toEqual(["host:ws-4"]);
    await expect.element(query).toHaveAttribute("aria-multiline", "false");
  });

  it("shows a value that is set from outside", async () => {
    await showQuery();
    await page.getByRole("button", { name: "Set" }).click();
    await expect.element(query).toHaveTextContent("user:noor");
  });
});

interface YamlPageProps {
  saves: string[];
  problems: readonly YamlProblem[];
}

function YamlPage({ saves, problems }: YamlPageProps) {
  const [text, setText] = useState("id: contain\n");
  return (
    <>
      <YamlEditor
        label="Playbook"
        value={text}
        onChange={setText}
        onSave={() => saves.push(text)}
        problems={problems}
        complete={() => undefined}
      />
      <p data-testid="value">{text}</p>
      <button type="button">After</button>
    </>
  );
}

async function showYaml(problems: readonly YamlProblem[] = FIRST) {
  const saves: string[] = [];
  await show(<YamlPage saves={saves} problems={problems} />);
  await expect.poll(isLoaded).toBe(true);
  await yaml.click();
  return saves;
}

describe("the YAML editor", () => {
  // docs/operations/console.md: in the editor `Ctrl+S` saves a new version.
  it("saves by Ctrl and S what was typed", async () => {
    const saves = await showYaml();
    await userEvent.keyboard("{Control>}{End}{/Control}name: Contain");
    await expect.element(value).toHaveTextContent("name: Contain");
    await userEvent.keyboard("{Control>}s{/Control}");
    await expect.poll(() => saves).toEqual(["id: contain\nname: Contain"]);
  });

  it("indents by Tab, and is no trap: after Escape Tab goes on", async () => {
    const saves = await showYaml();
    await userEvent.keyboard("{Control>}{Home}{/Control}{Tab}");
    await expect.poll(() => value.element().textContent).toBe("  id: contain\n");
    await userEvent.keyboard("{Control>}s{/Control}");
    await expect.poll(() => saves).toEqual(["  id: contain\n"]);
    await userEvent.keyboard("{Escape}{Tab}");
    await expect.element(page.getByRole("button", { name: "After" })).toHaveFocus();
  });

  it("marks the line of a problem, and marks nothing without one", async () => {
    await showYaml([{ message: "unknown key", line: 1, column: 1 }]);
    const marked = () => document.querySelector(".yaml-editor-box")?.shadowRoot?.querySelector(".yaml-problem-line");
    await expect.poll(() => marked()?.textContent).toBe("id: contain");
  });

  it("is written from left to right in Arabic", async () => {
    await show(<YamlPage saves={[]} problems={FIRST} />, { language: "ar" });
    await expect.poll(isLoaded).toBe(true);
    expect(getComputedStyle(yaml.element()).direction).toBe("ltr");
  });
});

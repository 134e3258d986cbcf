import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { findUncovered, findUnquoted, openContract, parseQuotes } from "./contract.ts";

const DOCUMENT = `# Radio

| Param | Type | Notes |
|---|---|---|
| limit | integer | maximum 200 |
| skip | integer | |

- A name is unique. It's "short".
Colours: not shown.
`;
const ROWS = ["| limit | integer | maximum 200 |", "| skip | integer |"];
const SENTENCES = ["A name is unique.", `It's "short".`];
const NOT_SHOWN = [["Colours: not shown.", "leaves it open"]] as const;

const folder = await mkdtemp(join(tmpdir(), "contract-"));
afterAll(() => rm(folder, { recursive: true }));
const path = join(folder, "radio.md");
await writeFile(path, DOCUMENT);
const { document, quote } = openContract(pathToFileURL(path));

describe("contract quotes", () => {
  it("matches a quote that the document contains once", () => {
    expect(document).toBe(DOCUMENT);
    expect(quote("maximum 200")).toBe("maximum 200");
  });

  it.each([
    ["maximum 201", "the document does not say: maximum 201"],
    ["", "the document does not say: "],
    ["integer", "the document says more than once: integer"],
  ])("refuse '%s': %s", (text, message) => {
    expect(() => quote(text)).toThrow(message);
  });

  it.each([
    ['it(quote("a row"), run)', ["a row"]],
    ['quote(\n  "a \\"short\\" row",\n)', ['a "short" row']],
    ['quote(\'a "short" row\'); contract.quote("it\'s");', ['a "short" row', "it's"]],
    ["requote(text); quoted(text);", []],
  ])("are found in %s", (source, quotes) => {
    expect(parseQuotes(source, "a.test.ts")).toEqual(quotes);
  });

  it.each(["quote(text)", "quote(`a row`)", 'quote("a" + "b")'])("are refused when computed: %s", (source) => {
    expect(() => parseQuotes(source, "a.test.ts")).toThrow("a.test.ts: quote() takes one string literal");
  });
});

describe("unquoted words of a document", () => {
  it("finds no unquoted words when every row, list item and paragraph is quoted or declared unchecked", () => {
    expect(findUncovered(DOCUMENT, [...ROWS, ...SENTENCES], NOT_SHOWN)).toEqual([]);
  });

  it("reports unquoted words with their line and only the rest of a row or paragraph", () => {
    expect(findUncovered(DOCUMENT, ["| limit | integer |", "A name is unique."], NOT_SHOWN)).toEqual([
      "line 5: maximum 200 |",
      "line 6: skip | integer | |",
      `line 8: It's "short".`,
    ]);
  });

  it("refuses a text declared unchecked that the document does not contain", () => {
    expect(() => findUncovered(DOCUMENT, ["a name"], [])).toThrow("the document does not say: a name");
    expect(() => findUncovered(DOCUMENT, [], [["Colors", ""]])).toThrow("the document does not say: Colors");
  });

  it("refuses a text that is both checked and declared unchecked", () => {
    const quotes = [...ROWS, ...SENTENCES, "Colours: not shown."];
    expect(findUncovered(DOCUMENT, quotes, NOT_SHOWN)).toEqual([
      "is checked, and need not be declared unchecked: Colours: not shown.",
    ]);
  });

  it("collects the quotes in the sources of a folder", async () => {
    const calls = [...ROWS, ...SENTENCES].map((text) => `quote(${JSON.stringify(text)});`);
    await writeFile(join(folder, "radio.test.ts"), calls.join("\n"));
    expect(findUnquoted(DOCUMENT, folder, [])).toEqual(["line 9: Colours: not shown."]);
  });
});

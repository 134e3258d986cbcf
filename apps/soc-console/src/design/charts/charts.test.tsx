import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Bucket } from "./bars.ts";
import { Histogram, type HistogramProps } from "./histogram.tsx";
import { Meter } from "./meter.tsx";
import { Spark } from "./spark.tsx";
import "../styles.css";

const FROM = "2026-11-19T10:00:00.000Z";
const hour = (at: number) => `2026-11-19T${at}:00:00.000Z`;
const bucket = (at: number, value: number): Bucket => ({ at: hour(at), parts: [{ key: "high", value, fill: "red" }] });
const plot = page.getByRole("slider", { name: "Alerts over time" });

async function showHistogram(values: readonly number[], props: Partial<HistogramProps> = {}) {
  const ranges: string[] = [];
  await render(
    <div style={{ inlineSize: 400 }}>
      <Histogram
        label="Alerts over time"
        buckets={values.map((value, at) => bucket(10 + at, value))}
        from={FROM}
        to={hour(10 + Math.max(1, values.length))}
        height={101}
        describe={({ at, parts }) => `${at.slice(11, 16)}: ${parts[0]?.value ?? 0}`}
        onRange={(from, to) => ranges.push(`${from.slice(11, 16)} to ${to.slice(11, 16)}`)}
        {...props}
      />
    </div>,
  );
  return ranges;
}

/** The heights of the drawn bars: pictures have no roles. */
const readHeights = () =>
  [...plot.element().querySelectorAll("rect[style]")].map((bar) => Number(bar.getAttribute("height")));

describe("the scale of a histogram", () => {
  it("is set by the largest value, and each other bar has its share of the height", async () => {
    await showHistogram([100, 50, 25]);
    await expect.poll(readHeights).toEqual([100, 50, 25]);
  });

  it("draws no bar for zero, and at least one pixel for what is not zero", async () => {
    await showHistogram([0, 1, 10_000]);
    await expect.poll(readHeights).toEqual([1, 100]);
  });

  it("draws one value over the whole width", async () => {
    await showHistogram([7]);
    await expect.poll(readHeights).toEqual([100]);
    const [bar] = plot.element().querySelectorAll("rect[style]");
    expect(bar?.getBoundingClientRect().width).toBeGreaterThan(390);
  });

  it("draws nothing and stays usable without values", async () => {
    const ranges = await showHistogram([]);
    await expect.element(plot).toHaveAttribute("aria-valuetext", "Alerts over time");
    await plot.click();
    await userEvent.keyboard("{ArrowLeft}{Enter}");
    expect(readHeights()).toEqual([]);
    expect(ranges).toEqual([]);
  });
});

// WAI-ARIA Authoring Practices, "Slider Pattern": an arrow moves the value by one step.
describe("the keys of a histogram", () => {
  it("tells the newest bucket first, and moves from there by one", async () => {
    await showHistogram([1, 2, 3, 4]);
    await expect.element(plot).toHaveAttribute("aria-valuenow", "3");
    await expect.element(plot).toHaveAttribute("aria-valuetext", "13:00: 4");
    plot.element().focus();
    await userEvent.keyboard("{ArrowLeft}");
    await expect.element(plot).toHaveAttribute("aria-valuetext", "12:00: 3");
    await userEvent.keyboard("{Home}");
    await expect.element(plot).toHaveAttribute("aria-valuenow", "0");
    await userEvent.keyboard("{ArrowLeft}");
    await expect.element(plot).toHaveAttribute("aria-valuenow", "0");
    await userEvent.keyboard("{End}{ArrowRight}");
    await expect.element(plot).toHaveAttribute("aria-valuenow", "3");
  });

  it("chooses a range by Shift, arrows and Enter, also as the first thing", async () => {
    const ranges = await showHistogram([1, 2, 3, 4]);
    plot.element().focus();
    await userEvent.keyboard("{Shift>}{ArrowLeft}{/Shift}{Enter}");
    expect(ranges).toEqual(["12:00 to 14:00"]);
  });

  it("resets by Backspace", async () => {
    let resets = 0;
    await showHistogram([1, 2], {
      onReset: () => {
        resets += 1;
      },
    });
    plot.element().focus();
    await userEvent.keyboard("{Backspace}");
    expect(resets).toBe(1);
  });
});

describe("the pointer on a histogram", () => {
  it("draws a range from left to right or back, and chooses nothing by a plain click", async () => {
    const ranges = await showHistogram([1, 2, 3, 4]);
    await expect.poll(readHeights).toHaveLength(4);
    await plot.click({ position: { x: 150, y: 50 } });
    expect(ranges).toEqual([]);
    const grip = { sourcePosition: { x: 350, y: 50 }, targetPosition: { x: 150, y: 50 } };
    await userEvent.dragAndDrop(plot, plot, grip);
    expect(ranges).toEqual(["11:00 to 14:00"]);
  });

  it("runs from left to right in Arabic, as time does", async () => {
    document.documentElement.dir = "rtl";
    await showHistogram([1, 2, 3, 4]);
    await expect.poll(readHeights).toHaveLength(4);
    const lefts = [...plot.element().querySelectorAll("rect[style]")].map((bar) => bar.getBoundingClientRect().left);
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
    document.documentElement.dir = "ltr";
  });
});

describe("small charts", () => {
  it("draws a meter by the share of each part, nothing for zero, and says it in words", async () => {
    await render(
      <div style={{ inlineSize: 200 }}>
        <Meter
          label="3 of 4 online"
          total={4}
          parts={[
            { key: "on", value: 3, fill: "green" },
            { key: "none", value: 0, fill: "red" },
          ]}
        />
      </div>,
    );
    const meter = page.getByRole("img", { name: "3 of 4 online" }).element();
    const widths = [...meter.children].map((part) => part.getBoundingClientRect().width / meter.clientWidth);
    expect(widths).toEqual([expect.closeTo(0.75, 2)]);
  });

  it("draws a meter of nothing as an empty line", async () => {
    await render(<Meter label="No endpoints" parts={[{ key: "on", value: 0, fill: "green" }]} />);
    expect(page.getByRole("img", { name: "No endpoints" }).element().children).toHaveLength(0);
  });

  it.each([
    [
      [0, 0],
      [0, 0],
    ],
    [[5], [20]],
    [
      [10, 5, 0],
      [20, 10, 0],
    ],
  ])("draws the spark of %j with the heights %j", async (values, heights) => {
    await render(<Spark label="Matches a day" values={values} height={20} />);
    const bars = page.getByRole("img", { name: "Matches a day" }).element().children;
    expect([...bars].map((bar) => Number(bar.getAttribute("height")))).toEqual(heights);
  });
});

import type { Figures, JudgedAlert } from "./evaluate.ts";

interface Row {
  name: string;
  target: string;
  format: (figures: Figures) => string;
}

const ROWS: readonly Row[] = [
  { name: "simulations, attack and background alerts", target: "", format: formatCounts },
  { name: "area under the curve", target: "0.93", format: ({ auc }) => auc.toFixed(3) },
  { name: "  severity alone", target: "", format: ({ severityAuc }) => severityAuc.toFixed(3) },
  { name: "attack alerts judged benign", target: "at most 4 %", format: ({ attackBenign }) => percent(attackBenign) },
  {
    name: "background alerts judged malicious",
    target: "at most 8 %",
    format: ({ backgroundMalicious }) => percent(backgroundMalicious),
  },
  {
    name: "simulations with attack alerts: malicious",
    target: "80 %",
    format: ({ simulations: { malicious, count } }) => ofAll(malicious, count),
  },
  {
    name: "simulations with attack alerts: benign",
    target: "0",
    format: ({ simulations: { benign, count } }) => ofAll(benign, count),
  },
  {
    name: "simulations without: malicious, benign",
    target: "",
    format: ({ others: { malicious, benign, count } }) => `${malicious}, ${benign} of ${count}`,
  },
  ...(["malicious", "benign", "inconclusive"] as const).map((verdict) => ({
    name: `confidence and share right: ${verdict}`,
    target: "within 0.1",
    format: (figures: Figures) => formatCalibration(figures, verdict),
  })),
  {
    name: "simulated technique named (T1562 = T1685 to T1690)",
    target: "80 %",
    format: ({ techniques: { named, count } }) => ofAll(named, count),
  },
  {
    name: "  with its sub-technique or the whole technique",
    target: "",
    format: ({ techniques: { exact, count } }) => ofAll(exact, count),
  },
  {
    name: "findings whose events contain what they say",
    target: "100 %",
    format: ({ findings: { supported, count } }) => ofAll(supported, count),
  },
];

/** One line per figure: with weights fitted without the family of the situation, and with the product's weights. */
export function formatTable(leftOut: Figures, product: Figures): string {
  const lines = [
    ["figure", "target", "family left out", "product's table"],
    ...ROWS.map(({ name, target, format }) => [name, target, format(leftOut), format(product)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}

/** Lists the verdicts that contradict the label. */
export function listWrong(judged: readonly JudgedAlert[]): string[] {
  return judged
    .filter(({ expected, verdict }) => expected !== undefined && verdict !== "inconclusive" && verdict !== expected)
    .map(({ situation, title, process, probability, verdict }) => {
      const name = process.slice(process.lastIndexOf("\\") + 1);
      return `${verdict} ${probability.toFixed(2)}  ${situation.name}: ${title}${name === "" ? "" : ` (${name})`}`;
    })
    .toSorted();
}

function formatCounts({ situations, attacks, background }: Figures): string {
  return `${situations}, ${attacks}, ${background}`;
}

function formatCalibration({ calibration }: Figures, wanted: string): string {
  const found = calibration.find(({ verdict }) => verdict === wanted);
  return found ? `${found.confidence.toFixed(2)}, ${found.right.toFixed(2)} (${found.count})` : "";
}

function ofAll(part: number, whole: number): string {
  return whole === 0 ? "0 of 0" : `${part} of ${whole} (${percent(part / whole)})`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

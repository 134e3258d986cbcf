import { Meter } from "../../design/charts/meter.tsx";
import { useNumbers, usePhrases } from "../language/language-context.tsx";
import { type RuleTime, sumRuleTime, TIME_FILLS, TIME_KINDS, toPercentages } from "./rule-time.ts";
import { ruleTimePhrases } from "./rule-time-phrases.ts";
import "./rule-time.css";

/** The shares of the rules' time in words, which add up to 100 %; undefined without any recorded time. */
function useTimeWords(rules: readonly RuleTime[]) {
  const { kinds } = usePhrases(ruleTimePhrases);
  const { number } = useNumbers();
  const shares = sumRuleTime(rules);
  if (!shares) return undefined;
  const percentages = toPercentages(TIME_KINDS.map((kind) => shares[kind]));
  return TIME_KINDS.map((kind, at) => ({
    kind,
    share: shares[kind],
    words: kinds[kind],
    percentage: `${number(percentages[at] ?? 0)}%`,
  }));
}

/** How much of its time a rule ran, and the reasons for the rest. */
export function RuleTimeBar({ time }: { time: RuleTime }) {
  const { noTime } = usePhrases(ruleTimePhrases);
  const parts = useTimeWords([time]);
  if (!parts) return <Meter label={noTime} parts={[]} total={1} />;
  const spelled = parts.filter(({ share }) => share > 0).map(({ words, percentage }) => `${words} ${percentage}`);
  return (
    <Meter
      label={spelled.join(", ")}
      parts={parts.map(({ kind, share }) => ({ key: kind, value: share, fill: TIME_FILLS[kind] }))}
    />
  );
}

/** The time of all rules, each share with its name. */
export function RuleTimeTotals({ rules }: { rules: readonly RuleTime[] }) {
  const { noTime } = usePhrases(ruleTimePhrases);
  const parts = useTimeWords(rules);
  if (!parts) return <p className="soft">{noTime}</p>;
  return (
    <div className="rule-time">
      <Meter
        label={parts.map(({ words, percentage }) => `${words} ${percentage}`).join(", ")}
        parts={parts.map(({ kind, share }) => ({ key: kind, value: share, fill: TIME_FILLS[kind] }))}
      />
      <ul className="rule-time-kinds">
        {parts.map(({ kind, words, percentage }) => (
          <li key={kind}>
            <span className="rule-time-swatch" style={{ background: TIME_FILLS[kind] }} />
            {words} <span className="mono">{percentage}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

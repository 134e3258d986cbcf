import { lookUp, readIocs } from "./answers.ts";
import { citeMentions, quote, type Step, type Subject } from "./step.ts";
import { isNamedIn } from "./subject.ts";

/** Reports on an indicator in the alert's events; an expired indicator is ignored. */
export function assessIndicator({ events }: Subject, noun: string, value: string): Step {
  return {
    call: lookUp(value),
    conclude: (answer) =>
      readIocs(answer).flatMap(({ severity, confidence, expires_at, value: known }) => {
        const isValid = (timestamp: string) =>
          expires_at === null || Date.parse(timestamp) < new Date(expires_at).getTime();
        const shown = events.filter((event) => isNamedIn(event, known) && isValid(event.timestamp));
        if (shown.length === 0) return [];
        const rating = `severity ${severity}, with a confidence of ${confidence} %`;
        return [citeMentions(`${noun} ${quote(known)} is a known indicator of ${rating}.`, shown, known)];
      }),
  };
}

import { Problem } from "@kit/problem";
import type { LogEvent } from "../../ports/log-event.ts";
import type { AgentId } from "../agents/agent-names.ts";
import type { EventReader, Span } from "../investigations/event-reader.ts";
import { isAlerts, isDeviceVerdict, isEvents, isFeedback, isHits, isNumber, isShares } from "./forms.ts";
import { type RecordedCall, type Recording, requireForm } from "./recording.ts";
import { boundEvents } from "./recording-limits.ts";

export interface RecordedReaderDeps {
  recording: Pick<Recording, "step">;
  agent_id: AgentId;
  reader: EventReader;
  /** Reports a failed read without which the investigation continues. */
  onGap: (what: string, problem: Problem) => void;
}

const WORDS: Readonly<Record<string, string>> = {
  ofProcess: "events of a process",
  ofSession: "events of the logon session",
  ofUser: "events of the user",
  ofAddress: "events of the address",
  alertsOn: "alerts on the host",
  ruleFeedback: "feedback on the rule",
  ruleDayShares: "history of the rules",
  imageDayShare: "history of the program",
  iocHits: "known indicators",
  deviceVerdict: "attestation of the device",
};

/** Records each answer of the reader. All reads except the alert's events may fail. */
export function createRecordedReader({ recording, agent_id, reader, onGap }: RecordedReaderDeps): EventReader {
  async function read<Answer>(name: string, given: object, asked: AskedReader<Answer>): Promise<Answer> {
    const { isAnswer, ...work } = asked;
    return requireForm(await recording.step(agent_id, { kind: "reader", name, arguments: given, ...work }), isAnswer);
  }

  async function orElse<Answer>(name: string, neutral: Answer, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      onGap(WORDS[name] ?? name, error);
      return neutral;
    }
  }

  const events = (name: string, given: object, work: () => Promise<LogEvent[]>) =>
    orElse(name, [], read(name, given, { work, isAnswer: isEvents, bound: boundLogs }));

  return {
    find: (log_ids) =>
      read("find", { log_ids }, { work: () => reader.find(log_ids), isAnswer: isEvents, bound: boundLogs }),
    ofProcess: (process, span, limit) =>
      events("ofProcess", { process, ...toTexts(span), limit }, () => reader.ofProcess(process, span, limit)),
    ofSession: (session, span, limit) =>
      events("ofSession", { session, ...toTexts(span), limit }, () => reader.ofSession(session, span, limit)),
    ofUser: (user, span, limit) =>
      events("ofUser", { user, ...toTexts(span), limit }, () => reader.ofUser(user, span, limit)),
    ofAddress: (address, span, limit) =>
      events("ofAddress", { address, ...toTexts(span), limit }, () => reader.ofAddress(address, span, limit)),

    alertsOn: (host, span, limit) => {
      const given = { host, ...toTexts(span), limit };
      return orElse(
        "alertsOn",
        [],
        read("alertsOn", given, { work: () => reader.alertsOn(host, span, limit), isAnswer: isAlerts }),
      );
    },

    ruleFeedback: (rule_id) => {
      const none = { true_positives: 0, false_positives: 0 };
      return orElse(
        "ruleFeedback",
        none,
        read("ruleFeedback", { rule_id }, { work: () => reader.ruleFeedback(rule_id), isAnswer: isFeedback }),
      );
    },

    async ruleDayShares(rule_ids, until) {
      const given = { rule_ids, until: until.toISOString() };
      const shares = async () => [...(await reader.ruleDayShares(rule_ids, until))];
      return new Map(
        await orElse("ruleDayShares", [], read("ruleDayShares", given, { work: shares, isAnswer: isShares })),
      );
    },

    imageDayShare: (image, until) => {
      const given = { image, until: until.toISOString() };
      return orElse(
        "imageDayShare",
        0,
        read("imageDayShare", given, { work: () => reader.imageDayShare(image, until), isAnswer: isNumber }),
      );
    },

    iocHits: (logs, limit) => {
      const given = { log_ids: logs.map(({ id }) => id), limit };
      return orElse(
        "iocHits",
        [],
        read("iocHits", given, { work: () => reader.iocHits(logs, limit), isAnswer: isHits }),
      );
    },

    async deviceVerdict(host) {
      const verdict = async () => (await reader.deviceVerdict(host)) ?? null;
      const found = await orElse(
        "deviceVerdict",
        null,
        read("deviceVerdict", { host }, { work: verdict, isAnswer: isDeviceVerdict }),
      );
      return found ?? undefined;
    },
  };
}

interface AskedReader<Answer> extends Pick<RecordedCall, "bound"> {
  work: () => Promise<Answer>;
  isAnswer: (answer: unknown) => answer is Answer;
}

function boundLogs(answer: unknown, maxBytes: number) {
  return boundEvents(requireForm(answer, isEvents), maxBytes);
}

function toTexts({ from, to }: Span) {
  return { from: from.toISOString(), to: to.toISOString() };
}

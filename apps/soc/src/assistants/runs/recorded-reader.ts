import { Problem } from "@kit/problem";
import type { LogEvent } from "../../logs/search/log.ts";
import type { AgentId } from "../agents/agent-names.ts";
import type { EventReader, Span } from "../investigations/event-reader.ts";
import { boundEvents } from "./bounds.ts";
import type { Recording } from "./recording.ts";

export interface RecordedReaderDeps {
  recording: Pick<Recording, "step">;
  agent_id: AgentId;
  reader: EventReader;
  /** Reports a read that failed, and without which the investigation goes on. */
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

/** The reader of an investigation with each answer recorded. All but the alert's own events may fail. */
export function createRecordedReader({ recording, agent_id, reader, onGap }: RecordedReaderDeps): EventReader {
  // The recorded answers are what this release, or one that recorded the same steps, has read.
  async function read<Answer>(name: string, given: object, work: () => Promise<Answer>, bound?: Bounds) {
    const asked = { kind: "reader", name, arguments: given, work, ...(bound && { bound }) } as const;
    return (await recording.step(agent_id, asked)) as Answer;
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
    orElse(name, [], read(name, given, work, boundLogs));

  return {
    find: (log_ids) => read("find", { log_ids }, () => reader.find(log_ids), boundLogs),
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
        read("alertsOn", given, () => reader.alertsOn(host, span, limit)),
      );
    },

    ruleFeedback: (rule_id) => {
      const none = { true_positives: 0, false_positives: 0 };
      return orElse(
        "ruleFeedback",
        none,
        read("ruleFeedback", { rule_id }, () => reader.ruleFeedback(rule_id)),
      );
    },

    async ruleDayShares(rule_ids, until) {
      const given = { rule_ids, until: until.toISOString() };
      const shares = async () => [...(await reader.ruleDayShares(rule_ids, until))];
      return new Map(await orElse("ruleDayShares", [], read("ruleDayShares", given, shares)));
    },

    imageDayShare: (image, until) => {
      const given = { image, until: until.toISOString() };
      return orElse(
        "imageDayShare",
        0,
        read("imageDayShare", given, () => reader.imageDayShare(image, until)),
      );
    },

    iocHits: (logs, limit) => {
      const given = { log_ids: logs.map(({ id }) => id), limit };
      return orElse(
        "iocHits",
        [],
        read("iocHits", given, () => reader.iocHits(logs, limit)),
      );
    },

    async deviceVerdict(host) {
      const verdict = async () => (await reader.deviceVerdict(host)) ?? null;
      const found = await orElse("deviceVerdict", null, read("deviceVerdict", { host }, verdict));
      return found ?? undefined;
    },
  };
}

type Bounds = typeof boundLogs;

function boundLogs(answer: unknown, maxBytes: number) {
  return boundEvents(answer as LogEvent[], maxBytes);
}

function toTexts({ from, to }: Span) {
  return { from: from.toISOString(), to: to.toISOString() };
}

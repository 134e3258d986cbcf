import type { Signal } from "./signals.ts";

interface Weight {
  /** Log-odds per unit of the signal. */
  weight: number;
  /** Fitted on labelled alerts, or set because these contain no example of the signal. */
  origin: "fitted" | "set";
  words: string;
}

/** The log-odds of an alert without any signal. */
export const BIAS = -1.86;

/**
 * The only table of weights. `npm run prove -- agents` fits it again and fails if it differs from the public data by
 * more than 0.05. A fitted weight of 0 means that other signals already cover it.
 */
export const WEIGHTS: Readonly<Record<Signal, Weight>> = {
  severity: { weight: 1.17, origin: "fitted", words: "the severity of the rule, from info (0) to critical (4)" },
  feedback: { weight: 1, origin: "set", words: "how often people confirmed or rejected alerts of this rule" },
  rule_common: { weight: -2.91, origin: "fitted", words: "on how many of the last 30 days the rule matched" },
  process_common: { weight: 0, origin: "fitted", words: "on how many of the last 30 days the program was active" },
  linked_rules: {
    weight: 0.82,
    origin: "fitted",
    words: "other rules that matched in the same process tree or session",
  },
  tactics: { weight: 0, origin: "fitted", words: "how many ATT&CK tactics these rules cover" },
  ioc_hits: { weight: 2, origin: "set", words: "known indicators in the events" },
  user_path: { weight: 0, origin: "fitted", words: "a program in a place that every user can write to" },
  device: { weight: 1.5, origin: "set", words: "the attestation of the device failed or is old" },
  system_process: {
    weight: -1.89,
    origin: "fitted",
    words: "the acting process is a part of the system that serves all programs",
  },
  script_host: { weight: 1.12, origin: "fitted", words: "a shell or script host in the process tree" },
  remote_contact: { weight: 2.51, origin: "fitted", words: "a script or a program of a user reaches another machine" },
};

import type { UncheckedQuotes } from "@kit/testing/contract";

const OPEN = "The document leaves it open.";
const PROSE = "It introduces what other rows and sentences state.";

/** The sentences that no check can test, and why. */
export const UNCHECKED: UncheckedQuotes = [
  [
    "This document covers the security-operations platform: authentication, alerts, cases, agents, sites, SIEM, detection engineering, EDR, SOAR, playbooks, CPS devices, approvals, reports, IOCs, statistics, runtime modes and the agent tool contracts. Document 1 covers the audio-player appliance API.",
    PROSE,
  ],
  [
    "analyst workflow objects (alerts, cases, observables, evidence, comments, tasks), SIEM search and saved hunts, detection rules with scheduled runs, EDR actions, SOAR playbooks, and human approval gates for high-impact actions.",
    PROSE,
  ],
  ["List query parameters (GET /alerts):", PROSE],
  [", severity, status and id: not shown.", OPEN],
  [
    "Fields of agents, sites, EDR endpoints, playbooks, executions, CPS devices, approvals, reports and IOCs beyond those above: not shown.",
    OPEN,
  ],
  [
    "In dry_run, records produced by live internal pipelines (detections, alerts, correlations, automatically created cases, analyst-style case notes, simulated dispatch receipts) are still persisted; operator-triggered changes and external response actions stay blocked.",
    "The finding of a sensor and every change by a person are checked by the row of dry_run; the other pipelines run in the worker, whose tests cover them.",
  ],
  ["Full set: not shown.", OPEN],
  ["Transitions between alert statuses: not shown. Transitions between case statuses: not shown.", OPEN],
  ["Auth is JWT unless stated.", "The checks of all routes and of the ways in state it."],
  [
    "Request and response bodies of custody, comment and task creation, case-link, agents, sites, EDR, CPS, reports, IOCs, statistics, chat and investigate: not shown. Query parameters for list routes other than alerts and agents: not shown.",
    OPEN,
  ],
  ["6. Token lifetime and signing parameters: not shown.", OPEN],
  ["7. Session cookie name and how it is issued: not shown.", OPEN],
  ["8. Which routes accept X-API-Key, and the role-to-permission assignment beyond admin: not shown.", OPEN],
  ["Event names and data format: not shown.", OPEN],
  ["- Other platform events: not shown.", OPEN],
  ["- Operations that emit events, beyond the above: no statement is made for them.", OPEN],
  ["Tool envelope error_code values: not shown.", OPEN],
  [
    "Offset pagination can drift under concurrent inserts. Numeric values of the chat per-user limit and the tool-server per-IP limit and default tool timeout: not shown.",
    "It allows a behaviour and demands none.",
  ],
  [
    "- Backward-incompatible changes are released under a new major API prefix.",
    "It is about releases that do not exist yet.",
  ],
];

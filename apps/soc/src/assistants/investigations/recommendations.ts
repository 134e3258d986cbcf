import { nameOf } from "./event-facts.ts";
import type { Evidence } from "./gather.ts";
import type { InvestigationVerdict } from "./verdict.ts";

/** Recommends next steps for a person. None of them is ever executed. */
export function recommendActions(evidence: Evidence, verdict: InvestigationVerdict, hasCase: boolean): string[] {
  const { alert, events, tree, iocHits } = evidence;
  const host = alert.host ?? events[0]?.host ?? "";
  const user = events.find((event) => event.user !== "" && !event.user.endsWith("$"))?.user;
  const own = tree.processes.find(({ link }) => link === "own")?.ref;
  const name = own ? nameOf(own.image) : "";
  const place = host === "" ? "" : ` on ${host}`;
  if (verdict === "benign") {
    return [
      "Close the alert as a false positive; this also becomes feedback on its rule.",
      ...(name === "" ? [] : [`If ${name} keeps matching${place}, add a suppression with an expiry.`]),
    ];
  }
  const review = `Review the process tree and the linked alerts${place}.`;
  if (verdict === "inconclusive") return [review, "Ask the owner of the host or the user what happened."];
  return [
    ...(hasCase ? [] : ["Promote the alert to a case."]),
    ...(host === "" ? [] : [`Isolate ${host}, after approval.`]),
    ...(name === "" ? [] : [`Stop ${name}${own && own.pid !== 0 ? ` (pid ${own.pid})` : ""} and collect its file.`]),
    ...(user === undefined ? [] : [`Reset the credentials of ${user} and end the sessions.`]),
    ...(iocHits.length === 0 ? [] : ["Search all hosts for the indicators that were found."]),
    review,
  ];
}

import type { Alert } from "../../alerts/module.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { ShowcaseCps } from "../registry/device.ts";
import {
  countShared,
  formatReason,
  highest,
  NEWEST_CORRELATION_FIRST,
  type RatedRecord,
  SHOWN_LOGS,
} from "./correlation.ts";
import type { CorrelationBody, ListCorrelationsQuery } from "./correlations.schema.ts";
import type { CorrelationsStore } from "./correlations.store.ts";
import { groupRecords } from "./group.ts";
import { describeLink, findLinks } from "./link.ts";
import { listAlertEntities, listDeviceEntities } from "./shared-entity.ts";

/** Computes the groups of the showcase from its alerts and attestations by the same rules as the database. */
export function createShowcaseCorrelations({ alerts, cps }: Pick<Showcase, "alerts" | "cps">): CorrelationsStore {
  const records = [...alerts.map(toRecord), ...listRejected(cps)];
  const groups = groupRecords(records).map((group) => toBody(group, alerts));
  return {
    list: async (query) => pageInMemory(groups, NEWEST_CORRELATION_FIRST, query, (each) => isListed(each, query, cps)),
    find: async (id) => groups.find((each) => each.id === id),
  };
}

function toRecord(alert: Alert): RatedRecord {
  const { id, severity, event_last_at, last_seen } = alert;
  return { kind: "alert", id, at: event_last_at ?? last_seen, severity, entities: listAlertEntities(alert) };
}

function listRejected({ attestations, devices }: ShowcaseCps): RatedRecord[] {
  const rejected = attestations.filter(({ verdict }) => verdict === "untrusted" || verdict === "failed");
  return rejected.flatMap(({ id, device_id, at }): RatedRecord[] => {
    const device = devices.find((each) => each.id === device_id);
    if (!device) return [];
    const entities = listDeviceEntities({ id: device.id, name: device.name, hash: device.firmware_hash });
    return [{ kind: "attestation", id, at, severity: "high", entities }];
  });
}

function toBody(group: readonly RatedRecord[], alerts: readonly Alert[]): CorrelationBody {
  const inTime = group.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const [first, last] = [inTime[0]?.at ?? new Date(0), inTime.at(-1)?.at ?? new Date(0)];
  const members = inTime.map((record, place) => {
    const [link] = findLinks(record, inTime.slice(0, place));
    const { kind, id, at, severity } = record;
    return { member: { kind, id, at, severity, reason: link ? describeLink(record, link) : null }, link };
  });
  const [strongest] = members.toSorted((a, b) => (b.link?.score ?? 0) - (a.link?.score ?? 0));
  const known = alerts.filter(({ id }) => group.some((each) => each.id === id));
  return {
    // The id of its first record, which is unique within the showcase.
    id: inTime[0]?.id ?? "",
    score: strongest?.link?.score ?? 0,
    reason: formatReason(strongest?.member.reason ?? "", group.length),
    severity: highest(group.map(({ severity }) => severity)),
    entities: countShared(group.map(({ entities }) => entities)),
    member_count: group.length,
    members: members.map(({ member }) => member).toReversed(),
    log_ids: [...new Set(known.flatMap(({ log_ids }) => log_ids))].slice(0, SHOWN_LOGS),
    ...{ first_at: first, last_at: last, created_at: first, updated_at: last },
    case_id: known.find(({ case_id }) => case_id !== null)?.case_id ?? null,
  };
}

function isListed(correlation: CorrelationBody, query: ListCorrelationsQuery, { attestations }: ShowcaseCps): boolean {
  const { severity, alert_id, device_id, case_id } = query;
  const has = (kind: string, isWanted: (id: string) => boolean) =>
    correlation.members.some((member) => member.kind === kind && isWanted(member.id));
  const ofDevice = new Set(attestations.flatMap((each) => (each.device_id === device_id ? [each.id] : [])));
  return (
    (severity === undefined || correlation.severity === severity) &&
    (case_id === undefined || correlation.case_id === case_id) &&
    (alert_id === undefined || has("alert", (id) => id === alert_id)) &&
    (device_id === undefined || has("attestation", (id) => ofDevice.has(id)))
  );
}

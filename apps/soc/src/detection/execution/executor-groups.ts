import type { Field } from "@kit/query/condition";
import type { LogEvent } from "../../ports/log-event.ts";
import { type Member, RUN_LIMITS } from "../matches/finding.ts";
import { parseEventField, readTexts } from "../matching/event-field.ts";
import type { Reading } from "./log-reader.ts";

/** An event of a group: the data that is needed to order and report it. */
export interface GroupedEvent extends Member {
  /** Event time in epoch milliseconds. The logs of a batch share an ingest time, so only this orders them. */
  at: number;
}

export interface Group<Event extends GroupedEvent = GroupedEvent> {
  /** The values of the grouping fields. */
  values: readonly string[];
  events: Event[];
  /** The most recent event. */
  last: LogEvent;
}

export interface Groups<Event extends GroupedEvent = GroupedEvent> {
  groups: Group<Event>[];
  /** Why not all logs could be read. */
  capped?: string;
}

interface GroupReading extends Reading {
  by: readonly string[];
}

export function toGroupedEvent(log: LogEvent): GroupedEvent {
  const { id, ingested_at, timestamp, site, host, user, src_ip, dst_ip } = log;
  return { id, ingested_at, timestamp, site, host, user, src_ip, dst_ip, at: Date.parse(timestamp) };
}

/** Reads the logs into groups of equal values. Keeps only the last log of each group whole, so that memory stays bounded. */
export async function readGroupsBy<Event extends GroupedEvent>(
  { logs, window, condition, signal, by }: GroupReading,
  toEvent: (log: LogEvent) => Event,
): Promise<Groups<Event>> {
  const fields = by.map((name) => parseEventField(name, "threshold.group_by"));
  const groups = new Map<string, Group<Event>>();
  let read = 0;
  for await (const block of logs.stream(condition, window, RUN_LIMITS.read + 1, signal)) {
    for (const log of block) {
      read += 1;
      if (read > RUN_LIMITS.read)
        return { groups: [...groups.values()], capped: `more than ${RUN_LIMITS.read} logs match` };
      for (const values of listCombinations(fields, log)) add(groups, values, log, toEvent(log));
      if (groups.size > RUN_LIMITS.groups) {
        return { groups: [...groups.values()], capped: `the logs form more than ${RUN_LIMITS.groups} groups` };
      }
    }
  }
  return { groups: [...groups.values()] };
}

function add<Event extends GroupedEvent>(
  groups: Map<string, Group<Event>>,
  values: readonly string[],
  log: LogEvent,
  event: Event,
) {
  const key = JSON.stringify(values);
  const group = groups.get(key);
  if (!group) {
    groups.set(key, { values, events: [event], last: log });
    return;
  }
  group.events.push(event);
  if (log.timestamp > group.last.timestamp) group.last = log;
}

const MAX_COMBINATIONS = 100;

/** The groups of a log: none if it lacks one of the fields, several if an attribute is a list. */
export function listCombinations(fields: readonly Field[], log: LogEvent): string[][] {
  let combinations: string[][] = [[]];
  for (const field of fields) {
    const texts = [...new Set(readTexts(field, log))];
    combinations = combinations.flatMap((before) => texts.map((text) => [...before, text])).slice(0, MAX_COMBINATIONS);
  }
  return combinations;
}

/** Ordered by event time. */
export function inOrder<Event extends GroupedEvent>(events: readonly Event[]): Event[] {
  return events.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

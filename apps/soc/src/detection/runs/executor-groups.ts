import type { Field } from "../../logs/query/condition.ts";
import type { Log } from "../../logs/search/log.ts";
import { MOST } from "../matches/finding.ts";
import { eventFieldOf, textsOf } from "../matching/event-field.ts";
import type { Reading } from "./log-reader.ts";

/** An event of a group: enough to put it into its place in time. */
export interface GroupedEvent {
  id: string;
  ingested_at: string;
  /** When it happened, in epoch milliseconds. Batches share an ingest time, so only this tells what came first. */
  at: number;
}

export interface Group<Event extends GroupedEvent = GroupedEvent> {
  events: Event[];
  /** The one that happened last. */
  last: Log;
}

export interface Groups<Event extends GroupedEvent = GroupedEvent> {
  groups: Group<Event>[];
  /** Why not all of it could be read. */
  capped?: string;
}

interface GroupReading extends Reading {
  by: readonly string[];
}

export function readGroups(reading: GroupReading): Promise<Groups> {
  return readGroupsOf(reading, eventOf);
}

export function eventOf({ id, ingested_at, timestamp }: Log): GroupedEvent {
  return { id, ingested_at, at: Date.parse(timestamp) };
}

/** Reads the logs into groups of equal values. Only the last log of each is kept whole, so that memory stays bounded. */
export async function readGroupsOf<Event extends GroupedEvent>(
  { logs, window, condition, signal, by }: GroupReading,
  toEvent: (log: Log) => Event,
): Promise<Groups<Event>> {
  const fields = by.map((name) => eventFieldOf(name, "threshold.group_by"));
  const groups = new Map<string, Group<Event>>();
  let read = 0;
  for await (const block of logs.stream(condition, window, MOST.read + 1, signal)) {
    for (const log of block) {
      read += 1;
      if (read > MOST.read) return { groups: [...groups.values()], capped: `more than ${MOST.read} logs match` };
      for (const key of keysOf(fields, log)) add(groups, key, log, toEvent(log));
      if (groups.size > MOST.groups) {
        return { groups: [...groups.values()], capped: `the logs are of more than ${MOST.groups} groups` };
      }
    }
  }
  return { groups: [...groups.values()] };
}

function add<Event extends GroupedEvent>(groups: Map<string, Group<Event>>, key: string, log: Log, event: Event) {
  const group = groups.get(key);
  if (!group) {
    groups.set(key, { events: [event], last: log });
    return;
  }
  group.events.push(event);
  if (log.timestamp > group.last.timestamp) group.last = log;
}

const MOST_COMBINATIONS = 100;

/** The groups that a log belongs to: none when it lacks one of the fields, several when an attribute is a list. */
function keysOf(fields: readonly Field[], log: Log): string[] {
  return combinationsOf(fields, log).map((texts) => JSON.stringify(texts));
}

export function combinationsOf(fields: readonly Field[], log: Log): string[][] {
  let combinations: string[][] = [[]];
  for (const field of fields) {
    const texts = [...new Set(textsOf(field, log))];
    combinations = combinations.flatMap((before) => texts.map((text) => [...before, text])).slice(0, MOST_COMBINATIONS);
  }
  return combinations;
}

/** In the order in which they happened. */
export function inOrder<Event extends GroupedEvent>(events: readonly Event[]): Event[] {
  return events.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

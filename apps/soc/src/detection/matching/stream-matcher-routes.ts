import type { Condition, Field } from "@kit/query/condition";
import { plainTextOf } from "@kit/query/condition-pattern";
import type { LogEvent } from "../../ports/log-event.ts";

/**
 * The channel and code that an event must have, in lower case; undefined means any value, and channel "" means no
 * channel.
 */
export interface Route {
  channel: string | undefined;
  code: string | undefined;
}

const ANYWHERE: Route = { channel: undefined, code: undefined };
const MAX_ROUTES = 100;

/** The routes of which an event must match at least one to meet the condition. */
export function findRoutes(condition: Condition): readonly Route[] {
  switch (condition.kind) {
    case "and":
      return condition.of.map(findRoutes).reduce(intersectRoutes, [ANYWHERE]);
    case "or":
      return bounded(condition.of.flatMap(findRoutes));
    case "none":
      return [];
    case "text":
      return [toRoute(condition.field, plainTextOf(condition.pattern)?.toLowerCase())];
    case "not":
      return condition.of.kind === "exists" && isChannel(condition.of.field)
        ? [{ channel: "", code: undefined }]
        : [ANYWHERE];
    case "all":
    case "words":
    case "anywhere":
    case "regex":
    case "number":
    case "instant":
    case "network":
    case "exists":
    case "same":
      return [ANYWHERE];
    default:
      return condition satisfies never;
  }
}

function isChannel(field: Field): boolean {
  return "attribute" in field && field.attribute.length === 1 && field.attribute[0] === "Channel";
}

/** Whether routes already distinguish events by this field. */
export function isRouted(field: Field): boolean {
  return isChannel(field) || ("name" in field && field.name === "event_code");
}

function toRoute(field: Field, text: string | undefined): Route {
  // An empty text only requires that the field exists.
  if (text === undefined || text === "") return ANYWHERE;
  if (isChannel(field)) return { channel: text, code: undefined };
  return "name" in field && field.name === "event_code" ? { channel: undefined, code: text } : ANYWHERE;
}

/** The routes that satisfy both; contradictory pairs are dropped. */
function intersectRoutes(some: readonly Route[], others: readonly Route[]): readonly Route[] {
  if (some.length * others.length > MAX_ROUTES) return some.length < others.length ? some : others;
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const isApart = (name: keyof Route) =>
        one[name] !== undefined && other[name] !== undefined && one[name] !== other[name];
      if (isApart("channel") || isApart("code")) return [];
      return [{ channel: one.channel ?? other.channel, code: one.code ?? other.code }];
    }),
  );
}

function bounded(routes: readonly Route[]): readonly Route[] {
  if (routes.some(({ channel, code }) => channel === undefined && code === undefined)) return [ANYWHERE];
  const different = [...new Map(routes.map((route) => [keyOf(route), route])).values()];
  return different.length > MAX_ROUTES ? [ANYWHERE] : different;
}

function keyOf({ channel, code }: Route): string {
  return JSON.stringify([channel, code]);
}

/** Finds for each event the things whose routes match it. */
export function createRouteTable<Thing>(routed: readonly { thing: Thing; routes: readonly Route[] }[]) {
  const channels = new Set(routed.flatMap(({ routes }) => routes.map(({ channel }) => channel)));
  const codes = new Set(routed.flatMap(({ routes }) => routes.map(({ code }) => code)));
  const everything = routed.map(({ thing }) => thing);
  // At most one entry for each pair of a channel and a code that a route names.
  const known = new Map<string | undefined, Map<string | undefined, readonly Thing[]>>();

  function find(channel: string | undefined, code: string | undefined): readonly Thing[] {
    const leadsHere = (route: Route) =>
      (route.channel === undefined || route.channel === channel) && (route.code === undefined || route.code === code);
    return routed.flatMap(({ thing, routes }) => (routes.some(leadsHere) ? [thing] : []));
  }

  return {
    at({ attributes, event_code }: LogEvent): readonly Thing[] {
      const given = attributes.Channel ?? "";
      // A list of channels matches several routes.
      if (typeof given !== "string") return everything;
      const channel = given.toLowerCase();
      const code = event_code.toLowerCase();
      const knownChannel = channels.has(channel) ? channel : undefined;
      const knownCode = codes.has(code) ? code : undefined;
      const ofChannel = known.get(knownChannel);
      const ready = ofChannel?.get(knownCode);
      if (ready) return ready;
      const found = find(knownChannel, knownCode);
      if (ofChannel) ofChannel.set(knownCode, found);
      else known.set(knownChannel, new Map([[knownCode, found]]));
      return found;
    },
  };
}

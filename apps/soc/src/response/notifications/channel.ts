import { invalidField } from "@kit/problem";
import { canonicalJson } from "@kit/query/canonical-json";
import { newestFirst } from "../../foundation/lists/order.ts";
import { isMailAddress } from "../../foundation/records/mail-address.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type {
  ChannelBody,
  ChannelKind,
  ChannelSettings,
  CreateChannelRequest,
  UpdateChannelRequest,
} from "./channels.schema.ts";

/** A destination for notifications. Settings are never returned: the URL of a webhook is a credential. */
export interface Channel {
  id: string;
  name: string;
  kind: ChannelKind;
  settings: ChannelSettings;
  /** When the address was last changed. Effects show this time instead of the address. */
  address_set_at: Date;
  events: string[];
  enabled: boolean;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  /** The approval that it waits for. */
  approval_id?: string | null | undefined;
}

export const NEWEST_FIRST = newestFirst("created_at");

/** Returns the channel without its secrets: with the host instead of the URL. */
export function toChannelBody({ settings, address_set_at: _, approval_id, ...channel }: Channel): ChannelBody {
  const { url, secret, to } = settings;
  return {
    ...channel,
    ...(approval_id && { approval_id }),
    settings: {
      ...(url !== undefined && { host: new URL(url).host }),
      ...(to !== undefined && { to }),
      has_secret: secret !== undefined,
    },
  };
}

export function buildChannel(request: CreateChannelRequest, id: string, created_by: string, now: Date): Channel {
  const { name, kind, settings, events = [], enabled = true } = request;
  const times = { address_set_at: now, created_at: now, updated_at: now };
  return checked({ id, name, kind, settings, events, enabled, created_by, ...times });
}

/** Settings that the patch omits stay, because clients cannot read them to send them again. */
export function patchChannel(channel: Channel, patch: UpdateChannelRequest, updated_at: Date): Channel {
  const settings = { ...channel.settings, ...patch.settings };
  const address_set_at = settings.url === channel.settings.url ? channel.address_set_at : updated_at;
  return checked({ ...channel, ...patch, settings, address_set_at, updated_at });
}

const USED: Readonly<Record<ChannelKind, readonly (keyof ChannelSettings)[]>> = {
  webhook: ["url", "secret"],
  chat: ["url"],
  email: ["to"],
};

function checked(channel: Channel): Channel {
  const { kind, settings, events } = channel;
  requireStorable(channel);
  const used = USED[kind];
  for (const field of used) {
    if (settings[field] === undefined) throw invalidField(`settings.${field}`, `is required for ${kind}`);
  }
  for (const field of Object.keys(settings)) {
    if (!used.some((each) => each === field)) throw invalidField(`settings.${field}`, `is not used by ${kind}`);
  }
  if (settings.url !== undefined) checkUrl(settings.url);
  checkAddresses(settings.to ?? []);
  return { ...channel, events: [...new Set(events)] };
}

function checkAddresses(addresses: readonly string[]): void {
  const wrong = addresses.findIndex((address) => !isMailAddress(address));
  if (wrong >= 0) throw invalidField(`settings.to.${wrong}`, "must be a plain e-mail address");
}

/** Checks only the form. Whether the address is allowed is checked before storing and on every send. */
export function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw invalidField("settings.url", "must start with https:// and a host");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalidField("settings.url", "must not contain credentials");
  }
}

/** Whether messages would reach an address that they did not reach before. */
export function opensDestination(changed: Channel, former?: Channel): boolean {
  if (!changed.enabled) return false;
  return !former?.enabled || canonicalJson(changed.settings) !== canonicalJson(former.settings);
}

/** Reports whether the channel subscribes to the event type, by name or with a pattern such as `alert.*`. */
export function isSubscribed({ events, enabled }: Pick<Channel, "events" | "enabled">, type: string): boolean {
  const [noun = ""] = type.split(".", 1);
  return enabled && (events.includes(type) || events.includes(`${noun}.*`));
}

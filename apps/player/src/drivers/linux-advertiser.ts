import { Problem } from "@kit/problem";
import Type from "typebox";
import type { AdvertisedService, Advertiser } from "../system/advertiser.ts";
import { Anything, type Bus, type BusObject } from "./dbus.ts";

const AVAHI = "org.freedesktop.Avahi";
const SERVER: BusObject = { destination: AVAHI, path: "/", interface: `${AVAHI}.Server` };
// avahi-common/defs.h: AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, AvahiEntryGroupState.
const ANY = -1;
const REGISTERING = 1;
const ESTABLISHED = 2;

/** Multicast DNS through Avahi, which also answers for <hostname>.local. */
export function createLinuxAdvertiser({ bus }: { bus: Bus }): Advertiser {
  let advertised: { service: AdvertisedService; group: BusObject } | undefined;

  async function isAdvertised({ name, port, hasTls }: AdvertisedService): Promise<boolean> {
    if (!advertised) return false;
    const { service, group } = advertised;
    if (service.name !== name || service.port !== port || service.hasTls !== hasTls) return false;
    try {
      const state = await bus.call(Type.Integer(), { ...group, member: "GetState" });
      return state === REGISTERING || state === ESTABLISHED;
    } catch (error) {
      // After a restart Avahi has lost our registration.
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  async function withdraw(): Promise<void> {
    const former = advertised;
    advertised = undefined;
    try {
      if (former) await bus.call(Anything, { ...former.group, member: "Free" });
    } catch (error) {
      // A registration that no longer exists need not be withdrawn.
      if (!(error instanceof Problem)) throw error;
    }
  }

  async function add(service: AdvertisedService): Promise<void> {
    const path = await bus.call(Type.String(), { ...SERVER, member: "EntryGroupNew" });
    const group: BusObject = { destination: AVAHI, path, interface: `${AVAHI}.EntryGroup` };
    const type = service.hasTls ? "_https._tcp" : "_http._tcp";
    await bus.call(Anything, {
      ...group,
      member: "AddService",
      signature: "iiussssqaay",
      body: [ANY, ANY, 0, service.name, type, "", "", service.port, [Buffer.from("path=/")]],
    });
    await bus.call(Anything, { ...group, member: "Commit" });
    advertised = { service, group };
  }

  return {
    async advertise(service) {
      if (await isAdvertised(service)) return;
      await withdraw();
      try {
        await add(service);
      } catch (cause) {
        throw new Problem("failed", "advertiser: Avahi does not answer", { cause });
      }
    },

    close: withdraw,
  };
}

import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { DeviceSettingsService } from "./device-settings.service.ts";
import {
  AutoOffRequest,
  AutoOffResult,
  AutoResumeRequest,
  AutoResumeResult,
  BrightnessRequest,
  BrightnessResult,
  CardRemovalRequest,
  CardRemovalResult,
  ChangeSettingsRequest,
  ChangeSettingsResult,
  SettingsBody,
  TimeFormatRequest,
  TimeFormatResult,
  TimeRequest,
  TimeResult,
  TimezoneRequest,
  TimezoneResult,
  WifiNetworksBody,
  WifiRequest,
  WifiResult,
} from "./settings.schema.ts";

const config = { access: "token", budget: "mutation" } as const;

export function settingsRoutes(settings: DeviceSettingsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/settings",
      {
        config: { access: "none", budget: "read" },
        schema: { operationId: "getSettings", summary: "Get the settings", response: { 200: SettingsBody } },
      },
      async () => settings.body(),
    );
    app.post(
      "/settings",
      {
        config,
        schema: {
          operationId: "updateSettings",
          summary: "Update the settings",
          body: ChangeSettingsRequest,
          response: { 200: ChangeSettingsResult },
        },
      },
      async ({ body }) => ({ success: true, ...settings.change(body) }),
    );
    app.post(
      "/settings/wifi",
      {
        config: { access: "token", budget: "wifi" },
        schema: {
          operationId: "joinWifi",
          summary: "Join a Wi-Fi network",
          description: "The device joins that network.",
          body: WifiRequest,
          response: { 200: WifiResult },
        },
      },
      async ({ body }) => {
        settings.joinWifi(body);
        return { success: true, ssid: body.ssid };
      },
    );
    app.get(
      "/settings/wifi/networks",
      // The names of the networks around a house tell where it is.
      {
        config: { access: "token", budget: "read" },
        schema: {
          operationId: "listWifiNetworks",
          summary: "List Wi-Fi networks in range",
          description: "Takes up to ten seconds. Strongest first; `enterprise` and `wep` are not supported.",
          response: { 200: WifiNetworksBody },
        },
      },
      async () => ({ networks: await settings.listWifi() }),
    );
    app.post(
      "/settings/brightness",
      {
        config,
        schema: {
          operationId: "setBrightness",
          summary: "Set the screen brightness",
          body: BrightnessRequest,
          response: { 200: BrightnessResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await settings.setBrightness(body.brightness)) }),
    );
    app.post(
      "/settings/timezone",
      {
        config,
        schema: {
          operationId: "setTimezone",
          summary: "Set the time zone",
          description: "A POSIX rule in printable ASCII.",
          body: TimezoneRequest,
          response: { 200: TimezoneResult },
        },
      },
      async ({ body }) => ({ success: true, ...settings.setTimezone(body.timezone) }),
    );
    app.post(
      "/settings/time-format",
      {
        config,
        schema: {
          operationId: "setTimeFormat",
          summary: "Set the time format",
          description: "The screen follows at once.",
          body: TimeFormatRequest,
          response: { 200: TimeFormatResult },
        },
      },
      async ({ body }) => ({ success: true, ...settings.change(body) }),
    );
    app.post(
      "/settings/time",
      {
        config,
        schema: {
          operationId: "setTime",
          summary: "Set the clock",
          description:
            "Sets the system clock and the clock chip. Where the clock cannot be set, as in a container, the time that it shows already is accepted, and the source becomes `manual`.",
          body: TimeRequest,
          response: { 200: TimeResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await settings.setTime(body.epoch)) }),
    );
    app.post(
      "/settings/auto-resume",
      {
        config,
        schema: {
          operationId: "setAutoResume",
          summary: "Set the automatic resume",
          body: AutoResumeRequest,
          response: { 200: AutoResumeResult },
        },
      },
      async ({ body }) => ({ success: true, ...settings.change({ auto_resume: body.enabled }) }),
    );
    app.post(
      "/settings/auto-off",
      {
        config,
        schema: {
          operationId: "setAutoOff",
          summary: "Set the automatic power-off",
          description: "0 turns it off.",
          body: AutoOffRequest,
          response: { 200: AutoOffResult },
        },
      },
      async ({ body }) => ({ success: true, ...settings.setAutoOff(body.auto_off_minutes) }),
    );
    app.post(
      "/settings/card-removal",
      {
        config,
        schema: {
          operationId: "setCardRemovalPolicy",
          summary: "Set the policy for card removal",
          body: CardRemovalRequest,
          response: { 200: CardRemovalResult },
        },
      },
      async ({ body }) => ({ success: true, ...settings.change({ card_removal: body.policy }) }),
    );
  };
}

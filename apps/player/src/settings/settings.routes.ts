import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { AutoResumeRequest, AutoResumeResult, ChangeSettingsRequest, ChangeSettingsResult } from "./settings.schema.ts";
import type { SettingsService } from "./settings.service.ts";

const config = { access: "token", budget: "mutation" } as const;

export function settingsRoutes(settings: SettingsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/settings",
      { config, schema: { body: ChangeSettingsRequest, response: { 200: ChangeSettingsResult } } },
      async ({ body }) => ({ success: true, ...settings.change(body) }),
    );
    app.post(
      "/settings/auto-resume",
      { config, schema: { body: AutoResumeRequest, response: { 200: AutoResumeResult } } },
      async ({ body }) => ({ success: true, ...settings.change({ auto_resume: body.enabled }) }),
    );
  };
}

import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFrame, type Frame } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import type { Log } from "@kit/log";
import type { FastifyRequest } from "fastify";
import { BUDGETS } from "./budgets.ts";
import { certificateRoutes } from "./certificate/certificate.routes.ts";
import type { CertificateService } from "./certificate/certificate.service.ts";
import type { Events } from "./events.ts";
import { favoritesRoutes } from "./favorites/favorites.routes.ts";
import type { FavoritesService } from "./favorites/favorites.service.ts";
import { libraryRoutes } from "./library/library.routes.ts";
import type { LibraryService } from "./library/library.service.ts";
import { liveRoutes } from "./live/live.routes.ts";
import type { LiveService } from "./live/live.service.ts";
import { playbackRoutes } from "./playback/playback.routes.ts";
import type { PlaybackService } from "./playback/playback.service.ts";
import { stationsRoutes } from "./radio/stations.routes.ts";
import type { StationsService } from "./radio/stations.service.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";
import type { SettingsService } from "./settings/settings.service.ts";
import { systemRoutes } from "./system/system.routes.ts";
import type { SystemService } from "./system/system.service.ts";
import { createGuessAlarm } from "./token/guess-alarm.ts";
import { requireToken } from "./token/require-token.ts";

export interface PlayerAppDeps {
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Without one the service speaks plain HTTP. */
  certificate: CertificateService | undefined;
  isLimited: boolean;
  dashboardFolder: string;
  currentToken: () => string;
  events: Events;
  playback: PlaybackService;
  library: LibraryService;
  favorites: FavoritesService;
  stations: StationsService;
  settings: SettingsService;
  system: SystemService;
  live: LiveService;
}

/** Puts the features together, in the order of the API document. */
export async function createPlayerApp(deps: PlayerAppDeps): Promise<Frame> {
  const { clock, ids, log, certificate, isLimited, dashboardFolder, currentToken } = deps;
  // What belongs to no route is a file of the dashboard, or nothing.
  const budgetOf = ({ routeOptions }: FastifyRequest) => BUDGETS[routeOptions.config.budget ?? "static"];
  const app = createFrame({
    errorBody: (error) => ({ error }),
    ids,
    log,
    tls: certificate?.current(),
    bodyBytes: 16 * 1024,
    bodyDepth: 8,
    pages: { folder: dashboardFolder, api: "/api" },
    ...(isLimited && { limits: { windows: createFixedWindows({ clock }), budgetOf } }),
  });
  requireToken(app, currentToken, createGuessAlarm(deps));
  await app.register(
    async (api) => {
      await api.register(playbackRoutes(deps.playback));
      await api.register(libraryRoutes(deps.library));
      await api.register(favoritesRoutes(deps.favorites));
      await api.register(stationsRoutes(deps.stations));
      await api.register(settingsRoutes(deps.settings));
      await api.register(systemRoutes(deps.system));
    },
    { prefix: "/api" },
  );
  await app.register(liveRoutes(deps.live));
  await app.register(certificateRoutes(certificate));
  return app;
}

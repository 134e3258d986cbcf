import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFrame, type Frame } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import { type MetricsOptions, serveMetrics } from "@kit/http/metrics";
import { serveOpenApi } from "@kit/http/openapi";
import type { Log } from "@kit/log";
import type { FastifyRequest } from "fastify";
import { backupRoutes } from "./backup/backup.routes.ts";
import type { BackupService } from "./backup/backup.service.ts";
import { chooseBudget } from "./budgets.ts";
import { certificateRoutes } from "./certificate/certificate.routes.ts";
import type { CertificateService } from "./certificate/certificate.service.ts";
import type { Events } from "./events.ts";
import { favoritesRoutes } from "./favorites/favorites.routes.ts";
import type { FavoritesService } from "./favorites/favorites.service.ts";
import { cardFilesRoutes } from "./library/card-files.routes.ts";
import type { CardFilesService } from "./library/card-files.service.ts";
import { libraryRoutes } from "./library/library.routes.ts";
import type { LibraryService } from "./library/library.service.ts";
import { createClientFinder } from "./live/client-finder.ts";
import { liveRoutes } from "./live/live.routes.ts";
import type { LiveService } from "./live/live.service.ts";
import { monitoringRoutes } from "./monitoring/monitoring.routes.ts";
import type { MonitoringService } from "./monitoring/monitoring.service.ts";
import type { MovesService } from "./moves/moves.service.ts";
import { PLAYER_OPENAPI } from "./openapi.ts";
import { otaRoutes } from "./ota/ota.routes.ts";
import type { OtaService } from "./ota/ota.service.ts";
import { pairingRoutes } from "./pairing/pairing.routes.ts";
import type { PairingService } from "./pairing/pairing.service.ts";
import { playbackRoutes } from "./playback/playback.routes.ts";
import type { PlaybackService } from "./playback/playback.service.ts";
import type { BatteryService } from "./power/battery.service.ts";
import { powerRoutes } from "./power/power.routes.ts";
import type { PowerService } from "./power/power.service.ts";
import { adhanRoutes } from "./prayer/adhan.routes.ts";
import type { AdhanService } from "./prayer/adhan.service.ts";
import { prayerRoutes } from "./prayer/prayer.routes.ts";
import type { PrayerService } from "./prayer/prayer.service.ts";
import { stationsRoutes } from "./radio/stations.routes.ts";
import type { StationsService } from "./radio/stations.service.ts";
import { resetRoutes } from "./reset/reset.routes.ts";
import type { ResetService } from "./reset/reset.service.ts";
import type { CardsService } from "./rfid/cards.service.ts";
import { rfidRoutes } from "./rfid/rfid.routes.ts";
import type { TapsService } from "./rfid/taps.service.ts";
import { schedulesRoutes } from "./schedules/schedules.routes.ts";
import type { SchedulesService } from "./schedules/schedules.service.ts";
import { screenRoutes } from "./screen/screen.routes.ts";
import type { ScreenService } from "./screen/screen.service.ts";
import type { DeviceSettingsService } from "./settings/device-settings.service.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";
import { systemRoutes } from "./system/system.routes.ts";
import type { SystemService } from "./system/system.service.ts";
import type { DeviceToken } from "./token/device-token.ts";
import { requireOwnHost } from "./token/require-own-host.ts";
import { hasToken, requireToken } from "./token/require-token.ts";
import { uploadsRoutes } from "./uploads/uploads.routes.ts";
import type { UploadsService } from "./uploads/uploads.service.ts";

export interface PlayerAppDeps extends Pick<MetricsOptions, "version" | "usage" | "measures"> {
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Without a certificate the service uses plain HTTP. */
  certificate: CertificateService | undefined;
  isLimited: boolean;
  /** Names of the device besides those that only a local network can have; without TLS they are checked. */
  ownNames: readonly string[];
  dashboardFolder: string;
  token: Pick<DeviceToken, "current" | "markPaired">;
  /** Call for every wrong token. */
  onWrongToken: () => void;
  pairing: PairingService;
  events: Events;
  playback: PlaybackService;
  library: LibraryService;
  cardFiles: CardFilesService;
  moves: MovesService;
  uploads: UploadsService;
  favorites: FavoritesService;
  stations: StationsService;
  cards: CardsService;
  taps: TapsService;
  prayer: PrayerService;
  adhan: AdhanService;
  schedules: SchedulesService;
  settings: DeviceSettingsService;
  system: SystemService;
  battery: BatteryService;
  power: PowerService;
  ota: OtaService;
  screen: ScreenService;
  backup: BackupService;
  reset: ResetService;
  live: LiveService;
  monitoring: MonitoringService;
}

/** 64 sockets and thirty browsers with six connections each: a device of 512 MB has no memory for thousands. */
const MAX_CONNECTIONS = 256;

/** Registers the features in the order of the API document. */
export async function createPlayerApp(deps: PlayerAppDeps): Promise<Frame> {
  const { clock, ids, log, certificate, isLimited, dashboardFolder, token, onWrongToken } = deps;
  // A path that belongs to no route is a file of the dashboard, or does not exist.
  const budgetOf = (request: FastifyRequest) =>
    chooseBudget(request.routeOptions.config.budget ?? "static", hasToken(request, token.current()));
  const app = createFrame({
    errorBody: (error) => ({ error }),
    ids,
    log,
    tls: certificate?.current(),
    maxConnections: MAX_CONNECTIONS,
    bodyBytes: 16 * 1024,
    bodyDepth: 8,
    pages: { folder: dashboardFolder, api: "/api" },
    ...(isLimited && {
      limits: { windows: createFixedWindows({ clock }), budgetOf, findClient: createClientFinder(clock) },
    }),
  });
  if (!certificate) requireOwnHost(app, deps.ownNames);
  requireToken(app, { current: token.current, onWrong: onWrongToken, onRight: token.markPaired });
  serveMetrics(app, { access: "token", budget: "read" }, { ...deps, prefix: "manara_player" });
  await app.register(
    async (api) => {
      await api.register(playbackRoutes(deps.playback));
      await api.register(libraryRoutes(deps.library));
      await api.register(cardFilesRoutes(deps.cardFiles, (move) => deps.moves.follow(move)));
      await api.register(uploadsRoutes(deps.uploads));
      await api.register(favoritesRoutes(deps.favorites));
      await api.register(stationsRoutes(deps.stations));
      await api.register(rfidRoutes(deps.cards, deps.taps));
      await api.register(prayerRoutes(deps.prayer));
      await api.register(adhanRoutes(deps.adhan));
      await api.register(schedulesRoutes(deps.schedules));
      await api.register(settingsRoutes(deps.settings));
      await api.register(systemRoutes(deps.system));
      await api.register(powerRoutes(deps));
      await api.register(resetRoutes(deps.reset));
      await api.register(otaRoutes(deps.ota));
      await api.register(screenRoutes(deps.screen));
      await api.register(backupRoutes(deps.backup));
      await api.register(pairingRoutes(deps.pairing));
      await api.register(monitoringRoutes(deps.monitoring));
    },
    { prefix: "/api" },
  );
  await app.register(liveRoutes(deps.live));
  await app.register(certificateRoutes(certificate));
  serveOpenApi(app, "/api/openapi.json", { access: "none", budget: "read" }, PLAYER_OPENAPI);
  return app;
}

import { freemem, hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { OutboundGuard } from "@kit/guard/fetch";
import type { Frame } from "@kit/http/frame";
import { replaceCertificate } from "@kit/http/server";
import { closeGracefully } from "@kit/http/service";
import type { Log } from "@kit/log";
import { createPlayerApp, type PlayerAppDeps } from "./app.ts";
import { createBackupService } from "./backup/backup.service.ts";
import type { Hardware } from "./drivers/hardware.ts";
import { createEvents } from "./events.ts";
import { createFavoritesService } from "./favorites/favorites.service.ts";
import { createFavoritesStore } from "./favorites/favorites.store.ts";
import { createLibraryService } from "./library/library.service.ts";
import { createHello } from "./live/hello.ts";
import { createLiveService } from "./live/live.service.ts";
import { createNetwork } from "./network.ts";
import { createOtaService } from "./ota/ota.service.ts";
import { createOtaStore } from "./ota/ota.store.ts";
import { createHifzDaysStore } from "./playback/hifz-days.store.ts";
import { createPlaybackService } from "./playback/playback.service.ts";
import { createResumeService } from "./playback/resume.service.ts";
import { createResumePositionStore } from "./playback/resume-position.store.ts";
import { openTone } from "./playback/tone.ts";
import { createTryWrite } from "./playback/try-write.ts";
import { listAwakeReasons } from "./power/awake.ts";
import { createBatteryService } from "./power/battery.service.ts";
import { pickEarlier } from "./power/earlier.ts";
import { createPowerService } from "./power/power.service.ts";
import { createAdhanService } from "./prayer/adhan.service.ts";
import { createAdhanStore } from "./prayer/adhan.store.ts";
import { createPrayerService } from "./prayer/prayer.service.ts";
import { createStationsService } from "./radio/stations.service.ts";
import { createStationsStore } from "./radio/stations.store.ts";
import { createResetService } from "./reset/reset.service.ts";
import { createResetStore } from "./reset/reset.store.ts";
import { createCardsService } from "./rfid/cards.service.ts";
import { createCardsStore } from "./rfid/cards.store.ts";
import { createTapsService } from "./rfid/taps.service.ts";
import { createSchedulesService } from "./schedules/schedules.service.ts";
import { createSchedulesStore } from "./schedules/schedules.store.ts";
import { openPainter } from "./screen/painter.ts";
import { createPairingService } from "./screen/pairing.service.ts";
import { createScreenService } from "./screen/screen.service.ts";
import { createDeviceSettingsService } from "./settings/device-settings.service.ts";
import { createSettingsService } from "./settings/settings.service.ts";
import { createSettingsStore } from "./settings/settings.store.ts";
import { openDatabase } from "./storage/database.ts";
import { measureStorage } from "./storage/storage.ts";
import { createStreamsService } from "./streams/streams.service.ts";
import { createBootFailures } from "./system/boot-failures.ts";
import { createSystemService } from "./system/system.service.ts";
import { createWatchdogService } from "./system/watchdog.service.ts";
import { createTargetsService } from "./targets/targets.service.ts";
import { createTimeService } from "./time/time.service.ts";

export interface PlayerParts
  extends Pick<PlayerAppDeps, "certificate" | "isLimited" | "dashboardFolder" | "currentToken"> {
  dataFolder: string;
  cardFolder: string;
  version: string;
  /** The fonts of the device's screen. */
  fontFolder: string;
  hardware: Hardware;
  guard: OutboundGuard;
  /** The port of the service; it is advertised in the local network. */
  port: number;
  /** The port of the pages in the set-up network; undefined when there are none. */
  setupPort: number | undefined;
  /** Whether pressing the device's button shows the token on its screen. */
  hasPairing: boolean;
  /** Creates a new token; the former one is invalid from then on. */
  renewToken: () => Promise<void>;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export interface Player {
  app: Frame;
  /** Opens the slow parts; requests are answered in the meantime. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The whole service on the given hardware. */
export async function createPlayer(parts: PlayerParts): Promise<Player> {
  const { dataFolder, cardFolder, version, hardware, guard, clock, ids, log, currentToken, renewToken } = parts;
  const { database, boot_failure } = openDatabase(dataFolder, clock);
  const boot_id = ids.next();
  const events = createEvents();
  const common = { events, clock, log };
  const failures = createBootFailures(log);
  const settingsStore = createSettingsStore(database);
  const settings = createSettingsService({ store: settingsStore, log });
  const time = createTimeService({
    ...common,
    system: hardware.systemClock,
    chip: hardware.chip,
    timezone: { get: () => settings.get().timezone, set: (timezone) => void settings.change({ timezone }) },
  });
  const library = createLibraryService({ ...common, cardFolder });
  const streams = createStreamsService({
    guard,
    clock,
    ids,
    log,
    policy: () => ({ allowPrivate: settings.get().allow_private_streams }),
    retryMinutes: () => settings.get().stream_retry_min,
  });
  const favorites = createFavoritesService({
    store: createFavoritesStore(database),
    events,
    clock,
    isAvailable: (reciter, surah) => library.find(reciter, surah) !== undefined,
    checkUrl: streams.check,
  });
  const stations = createStationsService({ ...common, store: createStationsStore(database), checkUrl: streams.check });
  const tryWrite = createTryWrite({ events, log });
  const resume = createResumeService({ store: createResumePositionStore(database), tryWrite, clock });
  const playback = createPlaybackService({
    engine: hardware.engine,
    library,
    streams,
    settings,
    resume,
    hifzDays: createHifzDaysStore(database),
    tryWrite,
    ...common,
    today: () => time.today(),
    onCountedPlay: (play) => {
      favorites.countPlay(play);
      if ("url" in play) stations.countPlay(play.url);
    },
    onStreamPlayed: stations.countOk,
  });
  const targets = createTargetsService({ playback, library, streams, favorites, stations, settings });
  const cards = createCardsService({ store: createCardsStore(database), targets, events });
  const taps = createTapsService({
    reader: hardware.reader,
    cards,
    targets,
    playback,
    card_removal: () => settings.get().card_removal,
    ...common,
  });
  const prayer = createPrayerService({
    store: settingsStore,
    time,
    settings,
    library,
    resolvePath: library.toCardPath,
    ...common,
  });
  const toneFile = () => openTone(dataFolder);
  const adhan = createAdhanService({
    prayer,
    time,
    playback,
    library,
    openTone: toneFile,
    afterAdhan: () => settings.get().after_adhan,
    store: createAdhanStore(database),
    tryWrite,
    events,
    changed: (change) => events.emit("adhan", change),
    clock,
    log,
  });
  const schedules = createSchedulesService({
    store: createSchedulesStore(database),
    time,
    prayer,
    targets,
    playback: {
      commands: () => playback.commands(),
      stopRecitation: () => playback.stopRecitation(),
      isSilentStream: () => playback.status().mode === "stream" && playback.status().state === "buffering",
      async playTone() {
        await playback.interrupt({ path: await toneFile(), name: "", volume: 0, after: "resume" });
      },
    },
    maxVolume: () => settings.get().max_volume,
    ...common,
  });
  const network = createNetwork({ ...common, ...parts, settings, hostname, clientCount: () => live.clientCount() });
  const deviceSettings = createDeviceSettingsService({
    settings,
    wifi: network.wifi,
    time,
    backlight: hardware.backlight,
    canSleep: () => power.canSleep(),
    hostname,
    ip: network.ip,
    events,
    log,
  });
  const battery = createBatteryService({ ...common, gauge: hardware.battery });
  const ota = createOtaService({
    updater: hardware.updater,
    store: createOtaStore(database),
    guard,
    clock,
    log,
    folder: join(dataFolder, "ota"),
    version,
    battery: battery.read,
    checks: [
      { name: "http", check: () => answersItself() },
      { name: "audio", check: playback.openEngine },
      { name: "settings", check: async () => void settingsStore.find("volume") },
    ],
    onStatus: (status) => events.emit("ota", status),
  });
  const power = createPowerService({
    manager: hardware.power,
    chip: hardware.chip,
    settings,
    awakeReasons: () =>
      listAwakeReasons({
        playback: playback.status(),
        isAdhan: playback.isInterrupted(),
        isUpdating: ota.status().in_progress,
        clients: live.clientCount(),
      }),
    nextWake: () => pickEarlier(schedules.nextWake(), adhan.nextEpoch()),
    quiet,
    now: () => time.now(),
    ...common,
  });
  const pairing = createPairingService({
    secretUrl: () => `https://${deviceSettings.body().ip || hostname()}:${parts.port}/#${currentToken()}`,
    clock,
  });
  const boot_failures = () => [
    ...[boot_failure, playback.failure(), taps.failure(), ota.failure(), screen.failure()].flatMap(
      (each) => each ?? [],
    ),
    ...network.failures(),
    ...failures.list(),
  ];
  const screen = createScreenService({
    display: hardware.display,
    openPainter: () => openPainter(parts.fontFolder),
    read: () => ({
      now: time.now(),
      clock_ok: time.isValid(),
      toWallTime: (epochS) => time.zone().localOf(epochS),
      settings: settings.get(),
      playback: playback.status(),
      stream_name: stations.findName(playback.status().source),
      prayer: prayer.body(),
      adhan: adhan.current(),
      card: { ...taps.scan(), name: cards.find(taps.scan().uid)?.name },
      ota: ota.status(),
      access_point: network.accessPoint(),
      // Set-up is done once the owner has set the location.
      is_set_up: prayer.config().lat !== undefined,
      fingerprint: parts.certificate?.shownFingerprint(),
      pairing: pairing.current(),
      boot_failures: boot_failures(),
    }),
    ...common,
  });
  const system = createSystemService({
    version,
    clock,
    freeMemory: freemem,
    measureStorage: () => measureStorage(dataFolder),
    boot_failures,
    warnings: () => [battery.warning() ?? []].flat(),
  });
  const live = createLiveService({
    ...common,
    clock: { ...clock, now: () => new Date(time.now()) },
    hello: createHello({ version, boot_id, playback, prayer, battery, ota, settings: deviceSettings, adhan, events }),
  });
  const reset = createResetService({
    store: createResetStore(database),
    quiet,
    renewToken,
    replaceAuthority: async () => parts.certificate?.replaceAuthority(),
    reloads: [
      settings.reload,
      prayer.reload,
      favorites.reload,
      stations.reload,
      schedules.reload,
      () => cards.backup.reload(),
      () => taps.forget(),
      () => adhan.reload(),
      () => resume.reload(),
      () => playback.reload(),
      () => pairing.close(),
    ],
    dropSockets: live.dropAll,
    forgetNetworks: () => network.wifi.forget(),
    events,
    log,
  });
  const watchdog = createWatchdogService({ ...hardware, clock, log });
  const app = await createPlayerApp({
    ...parts,
    events,
    playback,
    library,
    favorites,
    stations,
    cards,
    taps,
    prayer,
    adhan,
    schedules,
    settings: deviceSettings,
    system,
    battery,
    power,
    ota,
    screen,
    backup: createBackupService({
      parts: [settings.backup, favorites.backup, stations.backup, cards.backup, schedules.backup, prayer.backup],
      database,
    }),
    reset,
    live,
  });

  /** Before sleep and reset: saves the position and stops all sound. */
  function quiet(): void {
    playback.stop();
  }

  async function answersItself(): Promise<void> {
    const { statusCode } = await app.inject("/api/system");
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
  }

  const stopWatching = library.onCard((change) => {
    if (change === "pulled") playback.cardRemoved();
    else void playback.autoResume();
  });

  return {
    app,
    async start() {
      await streams.start();
      void time.start();
      void playback.start();
      void parts.certificate?.keepFresh(time.isValid, (renewed) => replaceCertificate(app.server, renewed));
      library.start();
      prayer.start();
      adhan.start();
      schedules.start();
      screen.start();
      network.wifi.start();
      failures.watch("backlight", deviceSettings.start());
      failures.watch("battery", battery.start());
      failures.watch("power", power.start());
      failures.watch("advertiser", network.advertising.start());
      failures.watch("watchdog", watchdog.start());
      failures.watch("hand", hardware.start({ press, eject: () => playback.cardRemoved() }));
      void taps.start();
      void ota.start();
    },
    async close() {
      // Save the position first, so that a later step that hangs cannot lose it.
      stopWatching();
      for (const each of [adhan, schedules, prayer, power, battery, deviceSettings, ota, time]) each.close();
      parts.certificate?.close();
      await playback.close();
      await network.close();
      await closeGracefully(app, clock);
      await Promise.all([library.close(), streams.close(), taps.close(), screen.close()]);
      await watchdog.close();
      await hardware.close();
      database.close();
    },
  };

  /** The device's one button. */
  function press(): void {
    power.touch();
    if (playback.isInterrupted()) playback.endInterruption();
    else if (parts.hasPairing) pairing.open();
  }
}

import { freemem, hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
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
import { createHello } from "./hello.ts";
import { createLibraryService } from "./library/library.service.ts";
import { createLiveService } from "./live/live.service.ts";
import { createMonitoring, type MonitoringDeps } from "./monitoring/monitoring.feature.ts";
import { listUsedFiles } from "./moves/used-files.ts";
import { createNetwork } from "./network.ts";
import { createOtaService } from "./ota/ota.service.ts";
import { createOtaStore } from "./ota/ota.store.ts";
import { createOwner, type OwnerParts } from "./owner.ts";
import { createHifzDaysStore } from "./playback/hifz-days.store.ts";
import { createPlaybackService } from "./playback/playback.service.ts";
import { createResumeService } from "./playback/resume.service.ts";
import { createResumePositionStore } from "./playback/resume-position.store.ts";
import { openTone } from "./playback/tone.ts";
import { listPlayerMeasures } from "./player-measures.ts";
import { listAwakeReasons } from "./power/awake.ts";
import { createBatteryService } from "./power/battery.service.ts";
import { pickEarlier } from "./power/earlier.ts";
import { createPowerService } from "./power/power.service.ts";
import { createAdhanService } from "./prayer/adhan.service.ts";
import { createAdhanStore } from "./prayer/adhan.store.ts";
import { createAdhanLogService } from "./prayer/adhan-log.service.ts";
import { createPrayerService } from "./prayer/prayer.service.ts";
import { createStationsService } from "./radio/stations.service.ts";
import { createStationsStore } from "./radio/stations.store.ts";
import { createResetStore } from "./reset/reset.store.ts";
import { createCardsService } from "./rfid/cards.service.ts";
import { createCardsStore } from "./rfid/cards.store.ts";
import { createTapsService } from "./rfid/taps.service.ts";
import { toScheduledPlayback } from "./schedules/scheduled-playback.ts";
import { createSchedulesService } from "./schedules/schedules.service.ts";
import { createSchedulesStore } from "./schedules/schedules.store.ts";
import { openPainter } from "./screen/painter.ts";
import { createScreenService } from "./screen/screen.service.ts";
import { createDeviceSettingsService } from "./settings/device-settings.service.ts";
import { createSettingsService } from "./settings/settings.service.ts";
import { createSettingsStore } from "./settings/settings.store.ts";
import { createDeviceStorageService } from "./storage/device-storage.service.ts";
import { measureStorage } from "./storage/storage.ts";
import { createStreamsService } from "./streams/streams.service.ts";
import { createBootFailures } from "./system/boot-failures.ts";
import { closeAll } from "./system/close-all.ts";
import { createSystemService } from "./system/system.service.ts";
import { createWatchdogService } from "./system/watchdog.service.ts";
import { createTargetsService } from "./targets/targets.service.ts";
import { createTimeService } from "./time/time.service.ts";
import { createGuessAlarm } from "./token/guess-alarm.ts";
import { isToken } from "./token/token.ts";
import { createCardWriting } from "./uploads/uploads.feature.ts";

export interface PlayerParts
  extends OwnerParts,
    Pick<PlayerAppDeps, "isLimited" | "dashboardFolder" | "ownNames" | "usage"> {
  cardFolder: string;
  version: string;
  /** The fonts of the device's screen. */
  fontFolder: string;
  hardware: Hardware;
  program: MonitoringDeps["program"];
  guard: OutboundGuard;
  /** The port of the pages in the set-up network; undefined when there are none. */
  setupPort: number | undefined;
  clock: Clock;
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
  const { dataFolder, cardFolder, version, hardware, guard, clock, ids, log, token } = parts;
  const boot_id = ids.next();
  const events = createEvents();
  const common = { events, clock, log };
  const storage = createDeviceStorageService({ ...common, dataFolder });
  const { database, tryWrite } = storage;
  const failures = createBootFailures(log);
  const settingsStore = createSettingsStore(database);
  const settings = createSettingsService({ store: settingsStore, log });
  const time = createTimeService({
    ...common,
    system: hardware.systemClock,
    chip: hardware.chip,
    timezone: { get: () => settings.get().timezone, set: (timezone) => void settings.change({ timezone }) },
  });
  const library = createLibraryService({
    ...common,
    cardFolder,
    mountsCard: hardware.mountsCard,
    usedFiles: () => listUsedFiles({ prayer, cards, schedules }),
  });
  const streams = createStreamsService({
    ...common,
    guard,
    ids,
    policy: () => ({ allowPrivate: settings.get().allow_private_streams }),
    retryMinutes: () => settings.get().stream_retry_min,
  });
  const favorites = createFavoritesService({
    ...common,
    store: createFavoritesStore(database),
    isAvailable: (reciter, surah) => library.find(reciter, surah) !== undefined,
    checkUrl: streams.check,
  });
  const stations = createStationsService({ ...common, store: createStationsStore(database), checkUrl: streams.check });
  const resume = createResumeService({ store: createResumePositionStore(database), tryWrite, clock });
  const playback = createPlaybackService({
    engine: hardware.engine,
    library,
    streams,
    settings,
    resume,
    hifzDays: createHifzDaysStore(database),
    tryWrite,
    isSavedStream: (url) => [...stations.list(), ...favorites.list()].some((saved) => saved.url === url),
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
  const called = createAdhanLogService({ store: createAdhanStore(database), time, tryWrite });
  const prayer = createPrayerService({
    called,
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
    called,
    ...common,
    changed: (change) => events.emit("adhan", change),
  });
  const schedules = createSchedulesService({
    store: createSchedulesStore(database),
    time,
    prayer,
    targets,
    playback: toScheduledPlayback(playback, toneFile),
    maxVolume: () => settings.get().max_volume,
    tryWrite,
    ...common,
  });
  const named = { favorites, resume, prayer, cards, schedules };
  const files = createCardWriting({ ...common, ...named, ids, cardFolder, library, playback, tryWrite });
  const network = createNetwork({ ...common, ...parts, settings, hostname, clientCount: () => live.clientCount() });
  const deviceSettings = createDeviceSettingsService({
    settings,
    wifi: network.wifi,
    time,
    backlight: hardware.backlight,
    canSleep: () => power.canSleep(),
    hostname,
    ip: network.ip,
    ...common,
  });
  const battery = createBatteryService({ ...common, gauge: hardware.battery });
  const ota = createOtaService({
    updater: hardware.updater,
    store: createOtaStore(database),
    guard,
    ...common,
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
        isAdhan: playback.isInterruptionDue(),
        isUpdating: ota.status().in_progress || files.uploads.isBusy(),
        clients: live.answeringCount(),
      }),
    nextWake: () => pickEarlier(schedules.nextWake(), adhan.nextEpoch()),
    quiet,
    now: () => time.now(),
    ...common,
  });
  const boot_failures = () => [
    ...database.failures(),
    ...[playback.failure(), taps.failure(), ota.failure(), screen.failure()].flatMap((each) => each ?? []),
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
      hold: controls.hold(),
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
  const monitoring = createMonitoring({ ...parts, ...common, database, time, boot_failures });
  const raiseAlarm = createGuessAlarm(common);
  const onWrongToken = () => {
    raiseAlarm();
    monitoring.countWrongToken();
  };
  const live = createLiveService({
    ...common,
    isOwnerToken(presented) {
      const isRight = isToken(token.current(), presented);
      if (isRight) token.markPaired();
      else onWrongToken();
      return isRight;
    },
    clock: { ...clock, now: () => new Date(time.now()) },
    hello: createHello({ version, boot_id, playback, prayer, battery, ota, settings: deviceSettings, adhan, events }),
  });
  const { pairing, pairingConsole, reset, controls } = createOwner({
    ...common,
    parts,
    ...{ hardware, playback, targets, settings, power, quiet, ip: network.ip, onWrongToken },
    openSetupNetwork: () => network.wifi.openSetupNetwork(),
    hasScreen: () => screen.failure() === undefined,
    soundWarning: () => playTone(),
    store: createResetStore(database),
    removeCopies: () => {
      storage.removeCopies();
      monitoring.erase();
    },
    replaceAuthority: async () => parts.certificate?.replaceAuthority(),
    reloads: [
      settings.reload,
      prayer.reload,
      favorites.reload,
      stations.reload,
      schedules.reload,
      () => cards.backup.reload(),
      () => taps.forget(),
      called.reload,
      () => resume.reload(),
      () => playback.reload(),
    ],
    dropSockets: live.dropAll,
    forgetNetworks: () => network.wifi.forget(),
  });
  const watchdog = createWatchdogService({ ...hardware, clock, log });
  const app = await createPlayerApp({
    ...parts,
    events,
    playback,
    library,
    ...files,
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
    pairing,
    monitoring,
    onWrongToken,
    measures: listPlayerMeasures({ ...parts, playback, time, called, adhan, live, boot_failures }),
  });

  async function playTone(): Promise<void> {
    await playback.interrupt({ path: await toneFile(), name: "", volume: 0, after: "resume" });
  }

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
      storage.start();
      await streams.start();
      failures.watch("clock", time.start());
      void playback.start();
      void parts.certificate?.keepFresh(time, (renewed) => replaceCertificate(app.server, renewed));
      for (const each of [files.uploads, library, prayer, adhan, schedules, screen, network.wifi]) each.start();
      // While the storage has room: a call to prayer may need it when it is full.
      toneFile().catch((error: unknown) => log.warn({ err: error }, "writing the tone file failed"));
      void pairingConsole.start();
      failures.watch("backlight", deviceSettings.start());
      failures.watch("battery", battery.start());
      failures.watch("power", power.start());
      failures.watch("advertiser", network.advertising.start());
      failures.watch("watchdog", watchdog.start());
      failures.watch("buttons", hardware.start({ ...controls, eject: () => playback.cardRemoved() }));
      failures.watch("nfc", taps.start());
      failures.watch("monitoring", monitoring.start());
      failures.watch("firmware", ota.start());
    },
    async close() {
      // First the clock's work, then the position: a later part that hangs cannot lose it.
      const clocked = [controls, adhan, schedules, prayer, power, battery, deviceSettings, ota, time];
      const open = [pairingConsole, monitoring, network, files.uploads, { close: () => closeGracefully(app, clock) }];
      const slow = [library, streams, taps, screen, watchdog, hardware];
      stopWatching();
      await closeAll(log, [...clocked, ...[parts.certificate ?? []].flat(), playback, ...open, ...slow, storage]);
    },
  };
}

import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { ModeRequest } from "../settings/advance-mode.schema.ts";
import {
  ModeBody,
  ModeResult,
  PlaybackResult,
  PlaybackStatus,
  PlayRequest,
  SeekRequest,
  SleepTimerRequest,
  SleepTimerResult,
  VolumeRequest,
  VolumeResult,
} from "./playback.schema.ts";
import type { PlaybackService } from "./playback.service.ts";

const read = { access: "none", budget: "status" } as const;
const command = { access: "token", budget: "playback" } as const;
const result = { response: { 200: PlaybackResult } };

export function playbackRoutes(playback: PlaybackService): FastifyPluginAsyncTypebox {
  const settled = async (): Promise<PlaybackStatus> => {
    await playback.durationKnown();
    return playback.status();
  };
  const done = async (begun: Promise<PlaybackStatus>) => {
    await begun;
    return { success: true, ...(await settled()) };
  };
  const doneIf = (changed: boolean) => ({ success: true, changed, ...playback.status() });
  return async (app) => {
    app.get(
      "/playback/status",
      {
        config: read,
        schema: {
          operationId: "getPlaybackStatus",
          summary: "Get the playback status",
          response: { 200: PlaybackStatus },
        },
      },
      settled,
    );
    app.post(
      "/playback/play",
      {
        config: command,
        schema: {
          operationId: "play",
          summary: "Play a file or a stream",
          description: "Takes `path` or `url`.",
          body: PlayRequest,
          ...result,
        },
      },
      async ({ body }) => done(playback.play(body)),
    );
    app.post(
      "/playback/pause",
      { config: command, schema: { operationId: "pausePlayback", summary: "Pause playback", ...result } },
      async () => doneIf(playback.pause()),
    );
    app.post(
      "/playback/resume",
      { config: command, schema: { operationId: "resumePlayback", summary: "Resume playback", ...result } },
      async () => doneIf(playback.resume()),
    );
    app.post(
      "/playback/stop",
      { config: command, schema: { operationId: "stopPlayback", summary: "Stop playback", ...result } },
      async () => doneIf(playback.stop()),
    );
    app.post(
      "/playback/seek",
      {
        config: command,
        schema: {
          operationId: "seekPlayback",
          summary: "Seek to a position",
          description: "`position` is in milliseconds and at most a day. 400 on a live stream.",
          body: SeekRequest,
          ...result,
        },
      },
      async ({ body }) => ({
        success: true,
        ...playback.seek(body.position),
      }),
    );
    app.post(
      "/playback/volume",
      {
        config: command,
        schema: {
          operationId: "setVolume",
          summary: "Set the volume",
          description: "Answers the volume in force, which never exceeds `max_volume`.",
          body: VolumeRequest,
          response: { 200: VolumeResult },
        },
      },
      async ({ body }) => ({ success: true, volume: playback.setVolume(body.volume) }),
    );
    app.post(
      "/playback/resume-saved",
      {
        config: command,
        schema: { operationId: "resumeSavedPlayback", summary: "Resume the saved position", ...result },
      },
      async () => done(playback.resumeSaved()),
    );
    app.post(
      "/playback/next",
      { config: command, schema: { operationId: "playNext", summary: "Play the next track", ...result } },
      async () => done(playback.next()),
    );
    app.post(
      "/playback/prev",
      { config: command, schema: { operationId: "playPrevious", summary: "Play the previous track", ...result } },
      async () => done(playback.prev()),
    );
    app.get(
      "/playback/mode",
      {
        config: read,
        schema: {
          operationId: "getPlaybackMode",
          summary: "Get the advance mode",
          description: "With the hifz settings while a hifz mode is on.",
          response: { 200: ModeBody },
        },
      },
      async () => playback.mode(),
    );
    app.post(
      "/playback/mode",
      {
        config: command,
        schema: {
          operationId: "setPlaybackMode",
          summary: "Set the advance mode",
          body: ModeRequest,
          response: { 200: ModeResult },
        },
      },
      async ({ body }) => ({ success: true, ...playback.setMode(body) }),
    );
    app.post(
      "/playback/sleep-timer",
      {
        config: command,
        schema: {
          operationId: "setSleepTimer",
          summary: "Set the sleep timer",
          description: "0 turns it off. When it runs out, playback stops.",
          body: SleepTimerRequest,
          response: { 200: SleepTimerResult },
        },
      },
      async ({ body }) => ({ success: true, sleep_timer_s: playback.setSleepTimer(body.minutes) }),
    );
  };
}

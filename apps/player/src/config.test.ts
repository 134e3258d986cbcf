import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

it("serves HTTPS on port 8443 of this machine by default", () => {
  expect(readConfig({})).toMatchObject({ host: "127.0.0.1", port: 8443, hasTls: true, isLimited: true });
});

it.each([
  [{ PLAYER_PORT: "70000" }, /^PLAYER_PORT: /],
  [{ PLAYER_TLS: "on" }, /^PLAYER_TLS: must be one of self-signed, off$/],
  [{ PLAYER_TLS_CERT: "cert.pem" }, /^PLAYER_TLS_CERT: must come together with PLAYER_TLS_KEY$/],
  [{ PLAYER_TLS_KEY: "key.pem" }, /^PLAYER_TLS_CERT: must come together with PLAYER_TLS_KEY$/],
  [{ PLAYER_AUDIO_DEVICE: "plughw:0" }, /^PLAYER_AUDIO_DEVICE: /],
  [{ PLAYER_AUDIO_DEVICE: "alsa/hw:0 --script=/tmp/x" }, /^PLAYER_AUDIO_DEVICE: /],
  [{ PLAYER_AUDIO_SOCKET: "audio.sock" }, /^PLAYER_AUDIO_SOCKET: /],
  [{ PLAYER_FRAMEBUFFER: "/dev/mem" }, /^PLAYER_FRAMEBUFFER: /],
  [{ PLAYER_LIMITS: "none" }, /^PLAYER_LIMITS: /],
  [{ PLAYER_LIMITS: "off", PLAYER_HOST: "0.0.0.0" }, /^PLAYER_LIMITS: must be on unless/],
])("refuses %j and names the variable", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

it("takes the sound card and the panel from the environment", () => {
  const environment = {
    PLAYER_AUDIO_OUTPUT: "alsa",
    PLAYER_AUDIO_DEVICE: "alsa/plughw:CARD=sndrpihifiberry,DEV=0",
    PLAYER_AUDIO_SOCKET: "/run/manara-player/audio.sock",
    PLAYER_FRAMEBUFFER: "/dev/fb1",
  };
  expect(readConfig(environment)).toMatchObject({
    audio: {
      output: "alsa",
      device: "alsa/plughw:CARD=sndrpihifiberry,DEV=0",
      socketPath: "/run/manara-player/audio.sock",
    },
    framebuffer: "/dev/fb1",
  });
});

it.each(["127.0.0.1", "::1", "localhost"])("allows disabled limits on the loopback host %s", (host) => {
  expect(readConfig({ PLAYER_LIMITS: "off", PLAYER_HOST: host }).isLimited).toBe(false);
});

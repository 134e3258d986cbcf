import { mpvArguments } from "@player/service/mpv-arguments";

/** The program of the audio unit: mpv with the arguments of the service's own driver. */
export function buildMpvLauncher(): string {
  const quoted = mpvArguments({}).map((argument) => `  '${argument}'`);
  return `#!/bin/sh
# Built from apps/player/src/drivers/mpv-arguments.ts. systemd passes the connection of the service as descriptor 3.
set -- \\
${quoted.join(" \\\n")}
[ -z "\${PLAYER_AUDIO_OUTPUT-}" ] || set -- "$@" "--ao=$PLAYER_AUDIO_OUTPUT"
[ -z "\${PLAYER_AUDIO_DEVICE-}" ] || set -- "$@" "--audio-device=$PLAYER_AUDIO_DEVICE"
exec mpv "$@"
`;
}

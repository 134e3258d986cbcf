// Formats that lavf may open: those of the library and of internet radio. None of them can reference another source.
const FORMATS = "mp3,aac,ogg,flac,wav,mov";

export interface AudioOutput {
  /** mpv's name of the audio output, for example alsa; mpv chooses when it is left out. */
  output?: string | undefined;
  /** mpv's name of the audio device, for example alsa/plughw:CARD=sndrpihifiberry; the first one when it is left out. */
  device?: string | undefined;
}

/** For mpv 0.35 (Debian 12). It reads no configuration, runs no script and opens only the sources that it receives. */
export function mpvArguments({ output, device }: AudioOutput): string[] {
  return [
    "--no-config",
    "--no-terminal",
    "--idle=yes",
    // An inherited socket: no file that other processes could connect to, and mpv quits when this process ends.
    "--input-ipc-client=fd://3",
    ...(output === undefined ? [] : [`--ao=${output}`]),
    ...(device === undefined ? [] : [`--audio-device=${device}`]),
    "--volume-max=100",
    // Without this option mpv reports the end of a file before the last samples are played.
    "--gapless-audio=no",
    ...SOUND_ONLY,
    ...NOTHING_FROM_OUTSIDE,
    ...LITTLE_MEMORY,
  ];
}

const SOUND_ONLY = [
  "--video=no",
  "--audio-display=no",
  "--sid=no",
  "--osc=no",
  "--load-scripts=no",
  "--load-stats-overlay=no",
  "--load-osd-console=no",
  "--load-auto-profiles=no",
  "--input-default-bindings=no",
];

const NOTHING_FROM_OUTSIDE = [
  "--ytdl=no",
  "--autoload-files=no",
  // mpv's own demuxers follow playlists, whatever the file name is.
  "--demuxer=lavf",
  `--demuxer-lavf-o-append=format_whitelist=${FORMATS}`,
  "--demuxer-lavf-o-append=protocol_whitelist=file,http,tcp",
  "--access-references=no",
  "--load-unsafe-playlists=no",
  "--stream-lavf-o-append=protocol_whitelist=http,tcp",
  "--stream-lavf-o-append=max_redirects=0",
  "--stream-lavf-o-append=seekable=0",
  // Any value that is not a URL: otherwise mpv would request the relay's loopback address from a proxy of the
  // environment.
  "--stream-lavf-o-append=http_proxy=none",
  // The relay decides when a source is lost; it then closes the connection.
  "--network-timeout=0",
];

// The device has 512 MB of memory. Two MiB hold two minutes of a live stream.
const LITTLE_MEMORY = ["--demuxer-max-bytes=2MiB", "--demuxer-max-back-bytes=0"];

// What lavf may open: the formats of the library and of internet radio. None of them can name another source.
const FORMATS = "mp3,aac,ogg,flac,wav,mov";

/** Debian 12 has mpv 0.35. It reads no configuration, runs no script and opens nothing but what it is told to. */
export function mpvArguments(output: string | undefined): string[] {
  return [
    "--no-config",
    "--no-terminal",
    "--idle=yes",
    // An inherited socket: no file that others could connect to, and mpv quits when this process is gone.
    "--input-ipc-client=fd://3",
    ...(output === undefined ? [] : [`--ao=${output}`]),
    "--volume-max=100",
    // Otherwise the end of a file is told while the last of it is still to be heard.
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
  // mpv's own demuxers follow playlists, whatever a file is called.
  "--demuxer=lavf",
  `--demuxer-lavf-o-append=format_whitelist=${FORMATS}`,
  "--demuxer-lavf-o-append=protocol_whitelist=file,http,tcp",
  "--access-references=no",
  "--load-unsafe-playlists=no",
  "--stream-lavf-o-append=protocol_whitelist=http,tcp",
  "--stream-lavf-o-append=max_redirects=0",
  "--stream-lavf-o-append=seekable=0",
  // Anything that is no URL: a proxy named by the environment would be asked for the relay's loopback address.
  "--stream-lavf-o-append=http_proxy=none",
  // The relay decides when a source is lost; it ends the connection then.
  "--network-timeout=0",
];

// The device has 512 MB. Two MiB are two minutes of a live stream.
const LITTLE_MEMORY = ["--demuxer-max-bytes=2MiB", "--demuxer-max-back-bytes=0"];

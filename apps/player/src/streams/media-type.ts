const UNKNOWN = "application/octet-stream";
const MEDIA_TYPE = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/;

/** Types outside of audio/ under which servers send audio and playlists. The first bytes distinguish them. */
const ALSO_POSSIBLE: readonly string[] = [
  "application/ogg",
  "application/pls+xml",
  "application/vnd.apple.mpegurl",
  "application/x-mpegurl",
  "application/x-scpls",
  "text/plain",
  UNKNOWN,
];

/** The type without its parameters, safe to forward. A server that sends no type may send anything. */
export function parseMediaType(header: string | undefined): string {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  return MEDIA_TYPE.test(type) ? type : UNKNOWN;
}

export function mayBeAudio(type: string): boolean {
  return type.startsWith("audio/") || ALSO_POSSIBLE.includes(type);
}

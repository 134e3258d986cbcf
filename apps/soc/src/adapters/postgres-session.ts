/** The role of every session that is not a migration; it may not change the ledger. */
export const ROLE = "soc_app";

/**
 * A machine that loses power closes no connection. With these settings the server detects it within 25 seconds and
 * releases its locks; the last one covers data that was sent and never acknowledged.
 */
export const DETECT_DEAD_PEER = [
  "-c tcp_keepalives_idle=10",
  "-c tcp_keepalives_interval=5",
  "-c tcp_keepalives_count=3",
  "-c tcp_user_timeout=25000",
].join(" ");

/** Alerts that need attention are open and have at least this severity. */
export const LEAST_SEVERITY = "low";
/** An alert that was not seen for this many days no longer needs attention. */
export const ATTENTION_DAYS = 30;
export const OPEN_ALERTS = ["new", "triaged", "investigating"] as const;
export const OPEN_CASES = ["open", "investigating", "pending_approval", "contained"] as const;

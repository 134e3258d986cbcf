export const PLATFORMS = ["iphone", "android", "windows", "mac", "linux"] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The browser's platform, as a first guess that the owner can change. */
export function detectPlatform(userAgent: string, hasTouch: boolean): Platform {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "iphone";
  if (/Android/.test(userAgent)) return "android";
  // An iPad says that it is a Mac; no Mac has a touch screen.
  if (/Macintosh/.test(userAgent)) return hasTouch ? "iphone" : "mac";
  return /Windows/.test(userAgent) ? "windows" : "linux";
}

import type { Position } from "./places.ts";

export type LocationAnswer = { state: "found"; position: Position } | { state: "denied" } | { state: "unknown" };

const WAIT_MS = 20_000;
/** Where it was some minutes ago is near enough. */
const OLD_MS = 600_000;

/** Browsers tell their place to pages of a trusted address only. */
export function canTellLocation(): boolean {
  return window.isSecureContext && "geolocation" in navigator;
}

export function askLocation({ getCurrentPosition }: Bound): Promise<LocationAnswer> {
  return new Promise((resolve) => {
    getCurrentPosition(
      ({ coords }) => resolve({ state: "found", position: roughly(coords.latitude, coords.longitude) }),
      ({ code, PERMISSION_DENIED }) => resolve({ state: code === PERMISSION_DENIED ? "denied" : "unknown" }),
      { timeout: WAIT_MS, maximumAge: OLD_MS },
    );
  });
}

interface Bound {
  getCurrentPosition: (
    found: (position: { coords: Pick<GeolocationCoordinates, "latitude" | "longitude"> }) => void,
    failed: (error: Pick<GeolocationPositionError, "code" | "PERMISSION_DENIED">) => void,
    options: PositionOptions,
  ) => void;
}

/** To about a kilometre: enough for the sun, and nobody's house. */
function roughly(lat: number, lng: number): Position {
  const round = (degrees: number) => Math.round(degrees * 100) / 100;
  return { lat: round(lat), lng: round(lng) };
}

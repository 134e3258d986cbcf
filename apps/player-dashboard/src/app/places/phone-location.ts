import type { Position } from "./places.ts";

export type LocationAnswer = { state: "found"; position: Position } | { state: "denied" } | { state: "unknown" };

const WAIT_MS = 20_000;
/** A position that is some minutes old is accurate enough. */
const OLD_MS = 600_000;

/** Browsers share the location only with pages on a secure connection. */
export function canTellLocation(): boolean {
  return window.isSecureContext && "geolocation" in navigator;
}

export function askLocation({ getCurrentPosition }: GeolocationSource): Promise<LocationAnswer> {
  return new Promise((resolve) => {
    getCurrentPosition(
      ({ coords }) => resolve({ state: "found", position: roughly(coords.latitude, coords.longitude) }),
      ({ code, PERMISSION_DENIED }) => resolve({ state: code === PERMISSION_DENIED ? "denied" : "unknown" }),
      { timeout: WAIT_MS, maximumAge: OLD_MS },
    );
  });
}

interface GeolocationSource {
  getCurrentPosition: (
    found: (position: { coords: Pick<GeolocationCoordinates, "latitude" | "longitude"> }) => void,
    failed: (error: Pick<GeolocationPositionError, "code" | "PERMISSION_DENIED">) => void,
    options: PositionOptions,
  ) => void;
}

/** Rounded to about a kilometre: accurate enough for prayer times, and it does not reveal an address. */
function roughly(lat: number, lng: number): Position {
  const round = (degrees: number) => Math.round(degrees * 100) / 100;
  return { lat: round(lat), lng: round(lng) };
}

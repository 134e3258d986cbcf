import { distanceKm, type Position } from "../../app/places/places.ts";

const KAABA: Position = { lat: 21.4225, lng: 39.8262 };

/** Which of the sixteen winds, from 0 for north, clockwise. */
export function findWind(degrees: number): number {
  return Math.round(degrees / 22.5) % 16;
}

export function kaabaKm(position: Position): number {
  return Math.round(distanceKm(position, KAABA));
}

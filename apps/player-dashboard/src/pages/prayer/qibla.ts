import { distanceKm, type Position } from "../../app/places/places.ts";

const KAABA: Position = { lat: 21.4225, lng: 39.8262 };

/** Which of the eight winds, from 0 for north, clockwise. */
export function findWind(degrees: number): number {
  return Math.round(degrees / 45) % 8;
}

export function kaabaKm(position: Position): number {
  return Math.round(distanceKm(position, KAABA));
}

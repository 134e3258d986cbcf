import { readStored, writeStored } from "../browser/browser-storage.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const DENSITIES = ["normal", "comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

// `theme.js` reads the same keys before the first paint.
const THEME_KEY = "theme";
const DENSITY_KEY = "density";

export function readTheme(): Theme {
  const kept = readStored(THEME_KEY);
  return THEMES.find((theme) => theme === kept) ?? "system";
}

export function readDensity(): Density {
  const kept = readStored(DENSITY_KEY);
  return DENSITIES.find((density) => density === kept) ?? "normal";
}

/** Stored in this browser, for this and later visits. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
  writeStored(THEME_KEY, theme);
}

export function chooseDensity(density: Density): void {
  const { dataset } = document.documentElement;
  if (density === "normal") delete dataset.density;
  else dataset.density = density;
  writeStored(DENSITY_KEY, density);
}

/** Switches from the visible theme to the other one. */
export function switchTheme(): void {
  const theme = readTheme();
  const isDark = theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  chooseTheme(isDark ? "light" : "dark");
}

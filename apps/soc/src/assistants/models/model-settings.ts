/** The wire formats: chat completions, and Anthropic's messages. */
export const PROVIDERS = ["openai-compatible", "anthropic"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ModelSettings {
  provider: Provider;
  /** Without a trailing slash. Every request goes below it. */
  url: string;
  model: string;
  key: string | undefined;
}

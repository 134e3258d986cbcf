import { createHash } from "node:crypto";

export type PortalLanguage = "en" | "ar";
export type PortalStep = "welcome" | "open";

interface PortalWords {
  direction: "ltr" | "rtl";
  welcome: string;
  welcomeText: string;
  next: string;
  open: string;
  openText: string;
  warning: string;
  nothing: (ssid: string) => string;
}

const WORDS: Readonly<Record<PortalLanguage, PortalWords>> = {
  en: {
    direction: "ltr",
    welcome: "You are connected to the player",
    welcomeText: "Set-up takes two minutes. This network has no internet, and set-up needs none.",
    next: "Continue",
    open: "Open the player",
    openText: "Tap this address:",
    warning:
      "Your browser shows a warning once, because the player made its own certificate. Choose “Advanced” or “Show details”, then continue to the page.",
    nothing: (ssid) =>
      `Nothing opens? Close this window, stay in the network “${ssid}”, and type the address into your browser.`,
  },
  ar: {
    direction: "rtl",
    welcome: "هاتفك متصل الآن بالمشغّل",
    welcomeText: "يستغرق الإعداد دقيقتين. لا إنترنت في هذه الشبكة، ولا حاجة إليه في الإعداد.",
    next: "متابعة",
    open: "افتح المشغّل",
    openText: "المس هذا العنوان:",
    warning:
      "يعرض المتصفح تحذيرًا مرة واحدة، لأن المشغّل أنشأ شهادته بنفسه. اختر «خيارات متقدمة» أو «عرض التفاصيل» ثم تابع إلى الصفحة.",
    nothing: (ssid) => `لم يُفتح شيء؟ أغلق هذه النافذة، وابقَ في شبكة «\u2068${ssid}\u2069»، واكتب العنوان في المتصفح.`,
  },
};

const STYLE =
  "body{margin:0;padding:24px;font:18px/1.6 system-ui,sans-serif;color:#1b2a24;background:#faf6ec}" +
  "main{max-width:32rem;margin:0 auto}h1{font-size:26px;line-height:1.3}" +
  "a{display:block;margin:24px 0;padding:16px;border-radius:12px;background:#14513f;color:#fff;" +
  "font-weight:600;text-align:center;text-decoration:none;overflow-wrap:anywhere}";

/** The pages load nothing and run nothing. */
export const PORTAL_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export interface PortalPage {
  step: PortalStep;
  language: PortalLanguage;
  /** The name of the set-up network. */
  ssid: string;
  /** The address of the dashboard. */
  dashboardUrl: string;
}

/** Every value comes from the device itself, never from a request. */
export function buildPortalPage({ step, language, ssid, dashboardUrl }: PortalPage): string {
  const words = WORDS[language];
  const content =
    step === "welcome"
      ? `<h1>${words.welcome}</h1><p>${words.welcomeText}</p><a href="/start">${words.next}</a>`
      : `<h1>${words.open}</h1><p>${words.openText}</p><a dir="ltr" href="${dashboardUrl}">${dashboardUrl}</a>` +
        `<p>${words.warning}</p><p>${words.nothing(ssid)}</p>`;
  return [
    `<!doctype html><html lang="${language}" dir="${words.direction}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Manara Player</title>',
    `<style>${STYLE}</style></head><body><main>${content}</main></body></html>`,
  ].join("");
}

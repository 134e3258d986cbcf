import { createIcons } from "./icons.ts";
import { MARGIN, type Pen } from "./pen.ts";
import type { CardModel, CertificateModel, FailuresModel, ResetModel, UpdateModel } from "./screen-model.ts";
import { WORDS } from "./words.ts";

export function drawCard(pen: Pen, { language, clock, name, uid }: CardModel): void {
  const { card, unknownCard, registerCard } = WORDS[language];
  pen.header(name ? card : unknownCard, clock, createIcons(pen.context).card);
  if (name) {
    pen.text(name, { y: 128, sizes: [40, 34, 28], weight: "bold", align: "center", maxLines: 2 });
    return;
  }
  pen.text(uid, { y: 112, width: 250, sizes: [40, 36, 32], weight: "bold", align: "center", maxLines: 2 });
  pen.text(registerCard, { y: 210, sizes: [20, 18], color: "muted", align: "center" });
}

export function drawCertificate(pen: Pen, { language, clock, lines }: CertificateModel): void {
  const { certificate, compare } = WORDS[language];
  pen.header(certificate, clock, createIcons(pen.context).card);
  pen.text(compare, { y: 66, sizes: [18, 16], color: "muted", maxLines: 2 });
  for (const [index, line] of lines.entries()) {
    pen.text(line, { y: 128 + index * 30, sizes: [24, 22, 20], weight: "bold", align: "center" });
  }
}

export function drawUpdate(pen: Pen, { language, progress, percentage, phase }: UpdateModel): void {
  pen.text(phase, { y: 48, sizes: [24, 20], weight: "bold", align: "center" });
  pen.text(percentage, { y: 138, sizes: [76], weight: "bold", color: "accent", align: "center" });
  pen.bar(166, 12, progress * 10, { isTape: false });
  pen.text(WORDS[language].keepPower, { y: 216, sizes: [20, 18], color: "muted", align: "center" });
}

export function drawReset(pen: Pen, { title, left, detail }: ResetModel): void {
  createIcons(pen.context).warning(pen.mirror(MARGIN, 16), 18);
  pen.text(title, { y: 76, sizes: [30, 26, 22], weight: "bold", align: "center", maxLines: 2 });
  pen.text(left, { y: 172, sizes: [48], weight: "bold", color: "accent", align: "center" });
  pen.text(detail, { y: 218, sizes: [20, 18], color: "muted", align: "center", maxLines: 2 });
}

export function drawFailures(pen: Pen, { language, failures, more }: FailuresModel): void {
  createIcons(pen.context).warning(pen.mirror(MARGIN, 16), 18);
  pen.text(WORDS[language].failures, { x: MARGIN + 26, y: 34, width: 260, sizes: [20, 18], weight: "bold" });
  for (const [index, { component, error }] of failures.entries()) {
    const y = 74 + index * 54;
    pen.text(component, { y, sizes: [21], weight: "bold", color: "accent" });
    pen.text(error, { y: y + 23, sizes: [18, 16], color: "muted" });
  }
  pen.text(more, { y: 232, sizes: [15], color: "muted" });
}

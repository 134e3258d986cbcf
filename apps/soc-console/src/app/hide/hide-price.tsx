import { Checkbox } from "../../design/field.tsx";
import { fill, usePhrases } from "../language/language-context.tsx";
import { ApiError, errorWords } from "../server/api-error.ts";
import { hidePhrases } from "./hide-phrases.ts";
import "./hide.css";

/** What would have been hidden in the last days. */
export interface HiddenPrice {
  hidden: number;
  total: number;
  hidden_alerts: number;
  hidden_true_positives: number;
  is_capped: boolean;
}

export interface HidePriceProps {
  /** What the user must enter before the impact can be calculated. */
  missing: string | undefined;
  price: HiddenPrice | undefined;
  error: unknown;
  /** The second confirmation, required if confirmed true positives would be hidden. */
  isUnderstood: boolean;
  onUnderstood: (isUnderstood: boolean) => void;
}

/** Impact of hiding matches. Red, with a second confirmation, if a confirmed true positive is among them. */
export function HidePrice({ missing, price, error, isUnderstood, onUnderstood }: HidePriceProps) {
  const words = usePhrases(hidePhrases);
  const confirmed = price?.hidden_true_positives ?? 0;
  return (
    <div className={confirmed > 0 ? "hide-price hide-price-red" : "hide-price"} role="status">
      <p className="hide-strong">{words.price}</p>
      {missing !== undefined && <p>{missing}</p>}
      {price && (
        <p>
          {fill(words.priceWords, {
            hidden: price.hidden,
            total: price.total,
            alerts: price.hidden_alerts,
            confirmed: price.hidden_true_positives,
          })}
        </p>
      )}
      {price?.is_capped && <p className="soft">{words.priceCapped}</p>}
      {missing === undefined && !price && !error && <p>{words.pricing}</p>}
      {missing === undefined && error instanceof ApiError && <p className="field-error">{errorWords(error)}</p>}
      {confirmed > 0 && (
        <>
          <p>{fill(words.danger, { count: confirmed })}</p>
          <Checkbox label={words.understand} checked={isUnderstood} onChange={onUnderstood} />
        </>
      )}
    </div>
  );
}

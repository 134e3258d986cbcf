import { usePhrases } from "../language/language-context.tsx";
import { SafeText } from "../text/safe-text-view.tsx";
import { changesPhrases } from "./changes-phrases.ts";
import { type FieldDifference, findDifferences } from "./find-differences.ts";
import "./changes.css";

/** The fields of a record that differ between two states. */
export function RecordDifference({ before, after }: { before: object; after: object }) {
  const words = usePhrases(changesPhrases);
  const differences = findDifferences(before, after);
  if (differences.length === 0) return <p className="soft">{words.noDifference}</p>;
  return <FieldDifferences differences={differences} />;
}

/** Differences that are known already, such as those of an audit entry. */
export function FieldDifferences({ differences }: { differences: readonly FieldDifference[] }) {
  return (
    <dl className="record-difference">
      {differences.map((field) => (
        <div key={field.name}>
          <dt>
            <bdi dir="ltr">
              <SafeText>{field.name}</SafeText>
            </bdi>
          </dt>
          <dd>
            {field.before !== "" && (
              <del>
                <SafeText>{field.before}</SafeText>
              </del>
            )}
            {field.after !== "" && (
              <ins>
                <SafeText>{field.after}</SafeText>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

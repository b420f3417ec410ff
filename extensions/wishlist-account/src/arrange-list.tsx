import { useEffect, useState } from "preact/hooks";
import { isChecked, valueOf } from "./fields.ts";
import { t } from "./texts.ts";
import { ORDERS, type Order, type View } from "./view.ts";

/** The most characters that can be searched for. */
const MAX_SEARCH = 100;

const NAMES = Object.keys(ORDERS).filter((name): name is Order => name in ORDERS);

interface Props {
  view: View;
  /** whether the list has so many items that a search helps */
  isLong: boolean;
  onChange: (view: View) => void;
}

/** Searches a list, orders it, and leaves out what can't be bought now. */
export function ArrangeList({ view, isLong, onChange }: Props) {
  const [typed, setTyped] = useState(view.q);
  useEffect(() => setTyped(view.q), [view.q]);
  const search = (): void => onChange({ ...view, q: typed.trim() });

  return (
    <s-stack gap="base">
      {(isLong || view.q !== "") && (
        <s-form onSubmit={search}>
          <s-grid gridTemplateColumns="minmax(0, 1fr) auto" gap="small" alignItems="end">
            <s-text-field
              label={t("arrange.search")}
              icon="search"
              value={typed}
              maxLength={MAX_SEARCH}
              autocomplete="off"
              onInput={(event) => setTyped(valueOf(event))}
            />
            <s-button onClick={search}>{t("arrange.search_now")}</s-button>
          </s-grid>
        </s-form>
      )}
      <s-stack direction="inline" gap="base" alignItems="end">
        <s-select
          label={t("arrange.sort")}
          value={view.order}
          onChange={(event) => {
            const order = NAMES.find((name) => name === valueOf(event));
            if (order) onChange({ ...view, order });
          }}
        >
          {NAMES.map((name) => (
            <s-option key={name} value={name}>
              {t(`arrange.${name}`)}
            </s-option>
          ))}
        </s-select>
        <s-checkbox
          label={t("arrange.only_available")}
          checked={view.available}
          onChange={(event) => onChange({ ...view, available: isChecked(event) })}
        />
      </s-stack>
    </s-stack>
  );
}

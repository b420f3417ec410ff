import { useNavigate } from "@remix-run/react";
import {
  BlockStack,
  Box,
  Button,
  ChoiceList,
  IndexFilters,
  IndexFiltersMode,
  TextField,
  useSetIndexFiltersMode,
  type IndexFiltersProps,
} from "@shopify/polaris";
import { memo, useState } from "react";
import {
  DIRECTIONS,
  FILTER_NAMES,
  indexPath,
  parseListQuery,
  SORTS,
  toSearch,
  viewPath,
  type FilterName,
  type ListFilters,
  type ListQuery,
  type SavedView,
} from "../../wishlists/staff/list-filters.ts";
import { FailureText } from "../failure-text.tsx";
import { formatPrice } from "../format.ts";
import { useChoices } from "../use-choices.ts";
import { useSavedViews } from "./use-saved-views.ts";

/** What can be chosen of a filter: its values with their labels, as the filter and as the chosen filter name them. */
type Choices = Readonly<Record<string, { label: string; applied: string }>>;

/** Filters that are shown beside the button that adds the others. */
const PINNED: readonly FilterName[] = ["owner", "stock", "activity"];

/** The filters that are chosen from lists, in the order of the page. */
const CHOSEN: Partial<Record<FilterName, { label: string; choices: Choices }>> = {
  owner: {
    label: "Owner",
    choices: {
      customer: { label: "Customers", applied: "Owner is a customer" },
      guest: { label: "Guests", applied: "Owner is a guest" },
    },
  },
  kind: {
    label: "List",
    choices: {
      default: { label: "Default lists", applied: "Default lists" },
      named: { label: "Named lists", applied: "Named lists" },
    },
  },
  stock: { label: "Stock", choices: { out: { label: "Has items out of stock", applied: "Has items out of stock" } } },
  price: { label: "Price", choices: { dropped: { label: "Has price drops", applied: "Has price drops" } } },
  alerts: { label: "Alerts", choices: { on: { label: "Owner wants alerts", applied: "Owner wants alerts" } } },
  shared: { label: "Sharing", choices: { on: { label: "Has a share link", applied: "Has a share link" } } },
  activity: {
    label: "Last activity",
    choices: {
      "7d": { label: "In the last 7 days", applied: "Active in the last 7 days" },
      "30d": { label: "In the last 30 days", applied: "Active in the last 30 days" },
      "90d": { label: "In the last 90 days", applied: "Active in the last 90 days" },
      "before-90d": { label: "More than 90 days ago", applied: "Not active for 90 days" },
    },
  },
};

const SORT_LABELS = {
  activity: { label: "Last activity", desc: "Newest first", asc: "Oldest first" },
  value: { label: "Value", desc: "Highest first", asc: "Lowest first" },
  items: { label: "Items", desc: "Most first", asc: "Fewest first" },
  stock: { label: "Items out of stock", desc: "Most first", asc: "Fewest first" },
} as const;

const SORT_OPTIONS = SORTS.flatMap((sort) =>
  DIRECTIONS.map((direction) => ({
    label: SORT_LABELS[sort].label,
    value: `${sort} ${direction}` as const,
    directionLabel: SORT_LABELS[sort][direction],
  })),
);

/** Returns filters with other values; an empty value removes a filter. */
function changedFilters(filters: ListFilters, values: Partial<Record<FilterName, string>>): ListFilters {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = values[name] ?? filters[name] ?? "";
    if (value !== "") query.set(name, value);
  }
  return parseListQuery(query).filters;
}

const AMOUNT = /^\d{1,12}(\.\d{1,2})?$/;

/** Bounds of the value, which take effect together. */
function ValueFilter(props: { filters: ListFilters; currency: string | null; onApply: (bounds: Bounds) => void }) {
  const { filters, currency, onApply } = props;
  const [bounds, setBounds] = useState<Bounds>({ min: filters.min ?? "", max: filters.max ?? "" });
  const [showsErrors, setShowsErrors] = useState(false);
  const errorOf = (value: string): string =>
    showsErrors && value !== "" && !AMOUNT.test(value) ? "Enter an amount, such as 250 or 99.50." : "";
  const field = (name: keyof Bounds, label: string) => (
    <TextField
      label={label}
      value={bounds[name]}
      onChange={(value) => setBounds({ ...bounds, [name]: value })}
      error={errorOf(bounds[name])}
      suffix={currency ?? ""}
      inputMode="decimal"
      maxLength={15}
      autoComplete="off"
    />
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setShowsErrors(true);
        if ([bounds.min, bounds.max].every((value) => value === "" || AMOUNT.test(value))) onApply(bounds);
      }}
    >
      <BlockStack gap="200">
        {field("min", "At least")}
        {field("max", "At most")}
        <Button submit>Apply</Button>
      </BlockStack>
    </form>
  );
}

interface Bounds {
  min: string;
  max: string;
}

function describeBounds({ min, max }: ListFilters, currency: string | null): string | undefined {
  const price = (amount: string): string => formatPrice(amount, currency);
  if (min !== undefined && max !== undefined) return `Value from ${price(min)} to ${price(max)}`;
  if (min !== undefined) return `Value of at least ${price(min)}`;
  return max === undefined ? undefined : `Value of at most ${price(max)}`;
}

function appliedFilters(
  filters: ListFilters,
  currency: string | null,
  change: (values: Partial<Record<FilterName, string>>) => void,
): NonNullable<IndexFiltersProps["appliedFilters"]> {
  const chosen = FILTER_NAMES.flatMap((name) => {
    const label = CHOSEN[name]?.choices[filters[name] ?? ""]?.applied;
    return label === undefined ? [] : [{ key: name, label, onRemove: () => change({ [name]: "" }) }];
  });
  const value = describeBounds(filters, currency);
  if (value === undefined) return chosen;
  return [...chosen, { key: "value", label: value, onRemove: () => change({ min: "", max: "" }) }];
}

/**
 * Shows the filters, the order and the saved views of the index. Each change is an address of its own, so that Back returns to the one before.
 * Memoized, because Polaris' filters take longer to render than the rows that a selection changes.
 */
export const WishlistFilters = memo(function WishlistFilters(props: {
  query: ListQuery;
  views: readonly SavedView[];
  /** the one that is shown */
  view: SavedView | undefined;
  currency: string | null;
}) {
  const { views, view, currency } = props;
  const navigate = useNavigate();
  const { chosen: query, choose } = useChoices(
    props.query,
    (choices) => indexPath(choices, view ? { view: view.id } : {}),
    { preventScrollReset: true },
  );
  const { filters, sort, direction } = query;
  const search = toSearch(query).toString();
  const isEdited = view ? view.search !== search : FILTER_NAMES.some((name) => filters[name] !== undefined);
  const { mode, setMode } = useSetIndexFiltersMode(isEdited ? IndexFiltersMode.Filtering : IndexFiltersMode.Default);
  const change = (values: Partial<Record<FilterName, string>>): void =>
    choose({ filters: changedFilters(filters, values) });
  const clear = (): void => choose({ filters: {} });
  const choiceFilters = FILTER_NAMES.flatMap((name) => {
    const chosen = CHOSEN[name];
    if (!chosen) return [];
    const values = Object.entries(chosen.choices);
    return [
      {
        key: name,
        label: chosen.label,
        pinned: PINNED.includes(name),
        filter: (
          <ChoiceList
            title={chosen.label}
            titleHidden
            allowMultiple={values.length === 1}
            choices={values.map(([value, { label }]) => ({ value, label }))}
            selected={[filters[name] ?? ""]}
            onChange={(selected) => change({ [name]: selected.at(-1) ?? "" })}
          />
        ),
      },
    ];
  });
  const valueFilter = {
    key: "value",
    label: "Value",
    pinned: true,
    filter: (
      <ValueFilter key={`${filters.min ?? ""} ${filters.max ?? ""}`} {...{ filters, currency }} onApply={change} />
    ),
  };
  const { problem, ...saved } = useSavedViews({
    views,
    view,
    search,
    isEdited,
    onEdit: () => setMode(IndexFiltersMode.Filtering),
  });
  return (
    <>
      <IndexFilters
        {...saved}
        canCreateNewView={false}
        mode={mode}
        setMode={setMode}
        hideQueryField
        queryValue=""
        onQueryChange={() => undefined}
        onQueryClear={() => undefined}
        filters={[...choiceFilters, valueFilter]}
        appliedFilters={appliedFilters(filters, currency, change)}
        onClearAll={clear}
        cancelAction={{ onAction: view ? () => navigate(viewPath(view), { preventScrollReset: true }) : clear }}
        sortOptions={SORT_OPTIONS}
        sortSelected={[`${sort} ${direction}`]}
        onSort={([chosen]) => {
          const option = SORT_OPTIONS.find(({ value }) => value === chosen);
          if (option) {
            const [by = "", order = ""] = option.value.split(" ");
            choose({ ...parseListQuery(new URLSearchParams({ sort: by, direction: order })), filters });
            // Where another order of a view can be saved.
            if (view) setMode(IndexFiltersMode.Filtering);
          }
        }}
        filteringAccessibilityLabel="Filter wishlists"
        filteringAccessibilityTooltip="Filter"
        disableKeyboardShortcuts
        disableStickyMode
      />
      {problem !== undefined && (
        <Box padding="400">
          <FailureText text={problem} />
        </Box>
      )}
    </>
  );
});

import { Pagination } from "@shopify/polaris";

interface ListPaginationProps {
  /** plural noun for screen readers, such as "deliveries" */
  items: string;
  /** URLs of the neighboring pages; undefined when there is none */
  previous: string | undefined;
  next: string | undefined;
  label?: string;
}

/** Renders the page buttons below a list, unless the list has a single page. */
export function ListPagination({ items, previous, next, label }: ListPaginationProps) {
  if (previous === undefined && next === undefined) return null;
  return (
    <div className="list-pages">
      <Pagination
        type="table"
        hasPrevious={previous !== undefined}
        hasNext={next !== undefined}
        // Polaris renders a link even for an undefined URL, and screen readers would announce it.
        {...(previous === undefined ? {} : { previousURL: previous })}
        {...(next === undefined ? {} : { nextURL: next })}
        {...(label === undefined ? {} : { label })}
        accessibilityLabel={`Pages of ${items}`}
      />
    </div>
  );
}

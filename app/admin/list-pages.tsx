import { Pagination } from "@shopify/polaris";

interface ListPagesProps {
  /** whose pages they are, to those who can't see the list above */
  of: string;
  /** addresses of the pages beside this one; undefined where there is none */
  previous: string | undefined;
  next: string | undefined;
  label?: string;
}

/** The buttons below a list that has more than one page. */
export function ListPages({ of, previous, next, label }: ListPagesProps) {
  if (previous === undefined && next === undefined) return null;
  return (
    <div className="list-pages">
      <Pagination
        type="table"
        hasPrevious={previous !== undefined}
        hasNext={next !== undefined}
        // A link that leads nowhere would be announced as one.
        {...(previous === undefined ? {} : { previousURL: previous })}
        {...(next === undefined ? {} : { nextURL: next })}
        {...(label === undefined ? {} : { label })}
        accessibilityLabel={`Pages of ${of}`}
      />
    </div>
  );
}

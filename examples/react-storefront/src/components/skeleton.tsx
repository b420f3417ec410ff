import type { ReactElement } from "react";

/** Takes the space of a list's rows while they are read. */
export function SkeletonRows(): ReactElement {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="skeleton-row" />
      ))}
    </div>
  );
}

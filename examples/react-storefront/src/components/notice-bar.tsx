import type { ReactElement } from "react";
import { closeNotice, useNotice } from "../notices.ts";

/** Shows the current notice. The region is always in the page, because screen readers announce only what changes in it. */
export function NoticeBar(): ReactElement {
  const notice = useNotice();
  return (
    <div className="notices" role="status">
      {notice && (
        <div className="notice">
          <p>{notice.text}</p>
          {notice.action && (
            <button
              className="plain"
              onClick={() => {
                closeNotice();
                notice.action?.run();
              }}
            >
              {notice.action.label}
            </button>
          )}
          <button className="plain" aria-label="Close" onClick={closeNotice}>
            ✕
          </button>
        </div>
      )}
    </div>
  );
}

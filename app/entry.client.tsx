import { RemixBrowser } from "@remix-run/react";
import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { keepFrameParameters } from "./admin/frame-parameters.ts";

if (keepFrameParameters()) {
  // Not in a transition: a click would restart it, and take effect only after the whole page hydrated.
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
}

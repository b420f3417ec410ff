import { RemixBrowser } from "@remix-run/react";
import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { keepFrameAddress } from "./admin/frame-address.ts";

if (keepFrameAddress()) {
  // Not as a transition: a press during one makes React start over, and answers when all is done.
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
}

import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        // Would need the browser's storage, which a frame of another site may be denied.
        v3_lazyRouteDiscovery: false,
      },
    }),
  ],
  // Bundled, so that the server loads the components in use and not the whole library.
  ssr: { noExternal: [/^@shopify\/polaris/] },
  build: { target: "es2022" },
});

// The import rules (docs/architecture.md): routes → surfaces → http → features → platform.

const features =
  "(?:access|activity|admin-api|alerts|analytics|audit|billing|catalog|changes|contacts|customers|email|flow|installation|klaviyo|orders|privacy|settings|shopify-sessions|shopper-tokens|shops|store-events|storefront|webhooks|wishlists)";
// Demo and watch mode: no part of the production process.
const development = "^server/dev/";

// The devstore's folders from the bottom up (packages/devstore/README.md). The surfaces lie side by side.
const devstoreLayers = [
  ["foundation"],
  ["store"],
  ["webhooks"],
  ["actions"],
  ["admin", "control", "customer-account", "graphql", "klaviyo", "oauth", "storefront"],
  ["server"],
];

/** One rule per layer: it imports the layers below, and of its own layer only its own folder. */
const devstoreRules = devstoreLayers.map((layer, place) => {
  const below = [...devstoreLayers.slice(0, place).flat(), "$1"].join("|");
  return {
    name: `devstore-${layer.length > 1 ? "surfaces" : layer[0]}-imports-down`,
    comment: `packages/devstore/{${layer.join(",")}} imports its own folder and ${devstoreLayers.slice(0, place).flat().join(", ") || "nothing else of the devstore"}.`,
    severity: "error",
    from: { path: `^packages/devstore/(${layer.join("|")})/` },
    // The server also bundles the browser's scripts.
    to: {
      path: "^packages/devstore/",
      pathNot: `^packages/devstore/(?:${below}${layer[0] === "server" ? "|browser" : ""})/`,
    },
  };
});

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "platform-imports-no-app-code",
      comment: "app/platform is the lowest layer: it imports nothing else of app/.",
      severity: "error",
      from: { path: "^app/platform/" },
      to: { path: "^app/", pathNot: "^app/platform/" },
    },
    {
      name: "features-import-no-routes-or-pages",
      comment:
        "A feature is independent of requests and pages: it does not import app/http, app/surfaces, app/routes or app/admin.",
      severity: "error",
      from: { path: `^app/${features}/` },
      to: { path: "^app/(?:http|surfaces|routes|admin|root|entry|service)[/.]" },
    },
    {
      name: "http-imports-no-routes-or-pages",
      comment:
        "The shared code of endpoints is independent of them: it does not import app/surfaces, app/routes or app/admin.",
      severity: "error",
      from: { path: "^app/http/" },
      to: { path: "^app/(?:surfaces|routes|admin|root|entry|service)[/.]" },
    },
    {
      name: "features-use-each-others-index",
      comment:
        "A feature's .server files are private: other features import app/<feature>/index.server.ts. Files without .server hold types, schemas and constants that all may import.",
      severity: "error",
      from: { path: `^app/(${features})/` },
      to: {
        path: String.raw`^app/${features}/.*\.server\.ts$`,
        pathNot: ["^app/$1/", String.raw`^app/[^/]+/index\.server\.ts$`],
      },
    },
    {
      name: "callers-use-the-features-index",
      comment: "Other code imports app/<feature>/index.server.ts, and the error codes in app/<feature>/failures.ts.",
      severity: "error",
      // app/admin must not import .server files, so it imports a feature's browser-safe files (types, labels) directly.
      from: { path: "^(?:app|server)/", pathNot: [`^app/${features}/`, "^app/admin/"] },
      to: { path: `^app/${features}/`, pathNot: String.raw`^app/[^/]+/(?:index\.server|failures)\.ts$` },
    },
    {
      name: "routes-and-surfaces-stay-thin",
      comment:
        "Of the platform, a route or a surface imports only time, ids, failures, transactions, the log, metrics and the process state.",
      severity: "error",
      from: { path: "^app/(?:routes|surfaces)/" },
      to: {
        path: "^app/platform/",
        pathNot:
          "^app/platform/(?:clock[.]|ids[.]|failure[.]|database/transaction[.]|log/log[.]|metrics/metrics[.]|process/(?:lifecycle|readiness)[.])",
      },
    },
    {
      name: "nothing-imports-routes",
      comment: "Remix loads the routes. What a route shares with others belongs to its surface or its feature.",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^app/routes/" },
    },
    {
      name: "surfaces-lie-side-by-side",
      comment: "A surface mounts operations for one kind of caller: it does not import another surface.",
      severity: "error",
      from: { path: "^app/surfaces/([^/.]+)" },
      to: { path: "^app/surfaces/", pathNot: "^app/surfaces/$1[/.]" },
    },
    {
      name: "browser-without-server",
      comment: "Code for browsers must not reach a .server file. (Remix's build checks the same for page routes.)",
      severity: "error",
      from: { path: String.raw`^app/(?:admin/|root\.tsx$|entry\.client\.tsx$)` },
      to: { path: String.raw`\.server\.tsx?$`, reachable: true },
    },
    {
      name: "only-admin-imports-polaris",
      comment: "A move to another component library must touch app/admin alone.",
      severity: "error",
      from: { path: "^(?:app|server)/", pathNot: "^app/admin/" },
      to: { path: "^node_modules/@shopify/polaris" },
    },
    {
      name: "app-imports-only-app",
      comment: "app/ is built into one bundle: it does not import the server, the tests, the tools or the build.",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^(?:server|packages|tests|bench|prisma|extensions|storefront-browser|build)/" },
    },
    {
      name: "server-imports-no-pages",
      comment: "server/ reaches routes and pages through the Remix build, never by import.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^app/(?:surfaces|routes|admin|root|entry)[/.]" },
    },
    {
      name: "service-comes-from-the-build",
      comment:
        "A second copy of app/service would open a second pool: the server uses that of the Remix build and imports types only.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: String.raw`^app/service\.server\.ts$`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "production-without-development",
      comment: "The production process must not import devstore, demo, watch mode, seed, tests or benches.",
      severity: "error",
      from: { path: "^server/", pathNot: development },
      to: { path: [development, "^(?:packages|tests|bench|prisma)/"] },
    },
    {
      name: "development-without-tests",
      comment: "Demo, devstore and seed must not import tests or benches.",
      severity: "error",
      from: { path: [development, "^(?:packages/devstore|prisma)/"], pathNot: "^packages/devstore/tests/" },
      to: { path: "^(?:tests|bench|packages/devstore/tests)/" },
    },
    ...devstoreRules,
    {
      name: "devstore-browser-imports-no-server-code",
      comment: "The devstore's browser scripts must not import its server.",
      severity: "error",
      from: { path: "^packages/devstore/browser/" },
      to: { path: "^(?:app|server|prisma|packages)/", pathNot: "^packages/devstore/browser/" },
    },
    {
      name: "devstore-is-started-by-its-entry-point",
      comment: "packages/devstore/devstore.ts starts the devstore: no other file of the devstore imports it.",
      severity: "error",
      from: { path: "^packages/devstore/", pathNot: "^packages/devstore/tests/" },
      to: { path: String.raw`^packages/devstore/devstore\.ts$` },
    },
    {
      name: "storefront-scripts-import-no-service-code",
      comment: "The scripts of storefront-browser run in a store's pages: they must not import the service.",
      severity: "error",
      from: { path: "^(?:extensions|storefront-browser)/" },
      to: { path: "^(?:app|server|prisma|packages/devstore|tests|bench)/" },
    },
    {
      name: "packages-stand-alone",
      comment: "Developers install the packages without this project: they import each other by name and nothing else.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/" },
      to: {
        path: "^(?!packages/$1/src/)",
        pathNot: ["^packages/sdk/src/(?:index|server|webhooks)[.]ts$", "^node_modules/(?:@types/)?react/"],
      },
    },
    {
      name: "storefront-scripts-share-code-through-shared",
      comment: "The extension's scripts and the wishlist page's share code through storefront-browser/shared only.",
      severity: "error",
      from: { path: "^storefront-browser/(extension|page|shared)/" },
      to: { path: "^storefront-browser/", pathNot: ["^storefront-browser/$1/", "^storefront-browser/shared/"] },
    },
    {
      name: "parts-use-the-core",
      comment: "Separately loaded parts of the extension's script take state and settings from `wishlistCore`.",
      severity: "error",
      from: { path: "^storefront-browser/extension/[^/]+/" },
      to: {
        path: "^storefront-browser/extension/[^/]+$",
        pathNot: "/dom[.]ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-circular",
      comment: "Merge files that import each other, or move what they share into a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "A file without imports that nothing imports is unused.",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [
          // entry points of tools and commands
          String.raw`^[^/]+\.[cm]?[jt]s$`,
          "^app/routes/",
          String.raw`^app/(?:root|entry\.(?:client|server))\.tsx$`,
          String.raw`^(?:server|server/dev|bench|tests|prisma|packages|packages/devstore)/[^/]+\.ts$`,
          String.raw`\.(?:test|d)\.tsx?$`,
          "^extensions/",
          "^tools/not-installed/",
          "^storefront-browser/extension/[^/]+/",
          "^packages/devstore/tests/fixtures/extension/",
        ],
      },
      to: {},
    },
    {
      name: "no-utils",
      comment: "A file has one subject and is named after it, not utils, helpers, lib or misc.",
      severity: "error",
      from: {},
      to: { path: "/(?:utils?|helpers?|lib|misc)[/.]", pathNot: "node_modules/" },
    },
    {
      name: "production-without-dev-dependencies",
      comment: "Packages of production are listed under dependencies, unless the build bundles them.",
      severity: "error",
      from: { path: "^(?:app|server)/", pathNot: development },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["type-only"],
        pathNot: "^node_modules/(?:@shopify/polaris(?:-icons)?|recharts|swagger-ui-dist)/",
      },
    },
    {
      name: "only-listed-packages",
      comment: "List every imported package in package.json.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-bundled"], dependencyTypesNot: ["npm-dev"] },
    },
    {
      name: "resolvable",
      comment: "Every import must resolve. (Remix's virtual modules and the build exist only at run time.)",
      severity: "error",
      from: {},
      // The account extension imports what does not exist where its build must fail.
      to: { couldNotResolve: true, pathNot: ["^virtual:", "^[./]*build/", "^SHOPIFY_APP_URL is not set$"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: [
        "^(?:build|coverage|public)/",
        "^(?:packages|examples|extensions)/[^/]+/dist/",
        String.raw`^\.(?:data|cache|git|shopify)/`,
      ],
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@wishlist-headless/source", "import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".d.ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};

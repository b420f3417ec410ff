// The import rules (docs/architecture.md): routes → http → features → platform.

const features =
  "(?:access|activity|admin-api|analytics|audit|billing|catalog|customers|installation|privacy|settings|shopify-sessions|shops|store-events|storefront|webhooks|wishlists)";
// Demo and watch mode: no part of the production process.
const development = "^server/dev/";

// The devstore's folders from the bottom up (devstore/README.md). The surfaces lie side by side.
const devstoreLayers = [
  ["foundation"],
  ["store"],
  ["webhooks"],
  ["actions"],
  ["admin", "control", "graphql", "oauth", "storefront"],
  ["server"],
];

/** One rule per layer: it imports the layers below, and of its own layer only its own folder. */
const devstoreRules = devstoreLayers.map((layer, place) => {
  const below = [...devstoreLayers.slice(0, place).flat(), "$1"].join("|");
  return {
    name: `devstore-${layer.length > 1 ? "surfaces" : layer[0]}-imports-down`,
    comment: `devstore/{${layer.join(",")}} imports its own folder and ${devstoreLayers.slice(0, place).flat().join(", ") || "nothing else of the devstore"}.`,
    severity: "error",
    from: { path: `^devstore/(${layer.join("|")})/` },
    // The server also bundles the browser's scripts.
    to: { path: "^devstore/", pathNot: `^devstore/(?:${below}${layer[0] === "server" ? "|browser" : ""})/` },
  };
});

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "platform-stands-alone",
      comment: "app/platform is the ground floor: it imports nothing else of app/.",
      severity: "error",
      from: { path: "^app/platform/" },
      to: { path: "^app/", pathNot: "^app/platform/" },
    },
    {
      name: "features-look-down",
      comment: "A feature knows nothing of requests and pages: no import of app/http, app/routes or app/admin.",
      severity: "error",
      from: { path: `^app/${features}/` },
      to: { path: "^app/(?:http|routes|admin|root|entry|service)[/.]" },
    },
    {
      name: "http-looks-down",
      comment: "What the endpoints share knows none of them: no import of app/routes or app/admin.",
      severity: "error",
      from: { path: "^app/http/" },
      to: { path: "^app/(?:routes|admin|root|entry|service)[/.]" },
    },
    {
      name: "features-meet-at-the-door",
      comment:
        "A feature's .server files are its own: other features use what app/<feature>/index.server.ts exports. Files without .server hold types, schemas and constants for all.",
      severity: "error",
      from: { path: `^app/(${features})/` },
      to: {
        path: String.raw`^app/${features}/.*\.server\.ts$`,
        pathNot: ["^app/$1/", String.raw`^app/[^/]+/index\.server\.ts$`],
      },
    },
    {
      name: "callers-use-the-door",
      comment:
        "Other code uses what app/<feature>/index.server.ts exports, and the error codes in app/<feature>/failures.ts.",
      severity: "error",
      // app/admin may name no .server file, so it takes a feature's browser-safe files (types, labels) directly.
      from: { path: "^(?:app|server)/", pathNot: [`^app/${features}/`, "^app/admin/"] },
      to: { path: `^app/${features}/`, pathNot: String.raw`^app/[^/]+/(?:index\.server|failures)\.ts$` },
    },
    {
      name: "routes-stay-thin",
      comment:
        "A route takes from the platform at most time, ids, failures, transactions, the log, metrics and the state of the process.",
      severity: "error",
      from: { path: "^app/routes/" },
      to: {
        path: "^app/platform/",
        pathNot: "^app/platform/(?:clock|ids|failure|transaction|log|metrics|lifecycle|readiness)[/.]",
      },
    },
    {
      name: "routes-ignore-each-other",
      comment: "Nothing imports a route. Only the OpenAPI document collects the other /v1 routes' endpoints.",
      severity: "error",
      from: { path: "^app/(?:routes|admin)/", pathNot: String.raw`^app/routes/v1\.openapi` },
      to: { path: String.raw`^app/routes/(?:[^/]+|[^/]+/route)\.tsx?$` },
    },
    {
      name: "openapi-collects-v1-only",
      comment: "The OpenAPI document describes /v1 and imports no other route.",
      severity: "error",
      from: { path: String.raw`^app/routes/v1\.openapi` },
      to: { path: "^app/routes/", pathNot: String.raw`^app/routes/v1\.` },
    },
    {
      name: "browser-without-server",
      comment:
        "Nothing that a browser loads may reach a .server file. (Remix's build checks the same for page routes.)",
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
      name: "app-stays-inside",
      comment: "app/ is built into one bundle: it imports nothing of the process, the tests, the tools or the build.",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^(?:server|devstore|tests|bench|prisma|extensions|storefront-browser|build)/" },
    },
    {
      name: "server-keeps-out-of-pages",
      comment: "server/ reaches routes and pages through the Remix build, never by import.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^app/(?:routes|admin|root|entry)[/.]" },
    },
    {
      name: "service-comes-from-the-build",
      comment:
        "A second copy of app/service would be a second pool. The server takes it from the Remix build, its types here.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: String.raw`^app/service\.server\.ts$`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "production-without-development",
      comment: "devstore, demo, watch mode, seed, tests and benches are no part of the production process.",
      severity: "error",
      from: { path: "^server/", pathNot: development },
      to: { path: [development, "^(?:devstore|tests|bench|prisma)/"] },
    },
    {
      name: "development-without-tests",
      comment: "Neither demo nor devstore nor seed leans on tests or benches.",
      severity: "error",
      from: { path: [development, "^(?:devstore|prisma)/"] },
      to: { path: "^(?:tests|bench)/" },
    },
    ...devstoreRules,
    {
      name: "devstore-browser-stands-alone",
      comment: "The devstore's browser scripts import nothing of its server.",
      severity: "error",
      from: { path: "^devstore/browser/" },
      to: { path: "^(?:app|server|prisma|devstore)/", pathNot: "^devstore/browser/" },
    },
    {
      name: "devstore-has-one-entrance",
      comment: "The devstore itself is started by devstore/devstore.ts, which nothing in its folders imports.",
      severity: "error",
      from: { path: "^devstore/" },
      to: { path: String.raw`^devstore/devstore\.ts$` },
    },
    {
      name: "storefront-scripts-stand-alone",
      comment: "The scripts of storefront-browser run in a store's pages: they import nothing of this service.",
      severity: "error",
      from: { path: "^(?:extensions|storefront-browser)/" },
      to: { path: "^(?:app|server|prisma|devstore|tests|bench)/" },
    },
    {
      name: "storefront-scripts-share-by-shared",
      comment: "The extension's scripts and the wishlist page's share code through storefront-browser/shared alone.",
      severity: "error",
      from: { path: "^storefront-browser/(extension|page|shared)/" },
      to: { path: "^storefront-browser/", pathNot: ["^storefront-browser/$1/", "^storefront-browser/shared/"] },
    },
    {
      name: "parts-use-the-core",
      comment: "Parts of the extension's script that are loaded apart take state and settings from `wishlistCore`.",
      severity: "error",
      from: { path: "^storefront-browser/extension/[^/]+/" },
      to: {
        path: "^storefront-browser/extension/[^/]+$",
        pathNot: "/(?:dom|product-form)[.]ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-circular",
      comment: "Two files that need each other are one file, or need a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "A file that imports nothing and that nothing imports is not in use.",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [
          // what a tool or a person starts
          String.raw`^[^/]+\.[cm]?[jt]s$`,
          "^app/routes/",
          String.raw`^app/(?:root|entry\.(?:client|server))\.tsx$`,
          String.raw`^(?:server|server/dev|bench|tests|prisma|devstore)/[^/]+\.ts$`,
          String.raw`\.(?:test|d)\.tsx?$`,
          "^extensions/",
          "^storefront-browser/extension/[^/]+/",
          "^tests/devstore/fixtures/extension/",
        ],
      },
      to: {},
    },
    {
      name: "no-junk-drawer",
      comment: "No utils, helpers or lib: a file has one subject and its name says it.",
      severity: "error",
      from: {},
      to: { path: "/(?:utils?|helpers?|lib|misc)[/.]", pathNot: "node_modules/" },
    },
    {
      name: "production-without-dev-dependencies",
      comment: "What runs in production is listed under dependencies, except for packages that the build bundles.",
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
      comment: "Every imported package is listed in package.json.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-bundled"], dependencyTypesNot: ["npm-dev"] },
    },
    {
      name: "resolvable",
      comment: "Every import leads somewhere. (Remix's virtual modules and the build exist only at run time.)",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: ["^virtual:", "^[./]*build/"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^(?:build|coverage|public)/", String.raw`^\.(?:data|cache|git)/`] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".d.ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};

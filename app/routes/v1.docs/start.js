// Runs in the browser as it is, after swagger-ui-bundle.js. (The page's Content-Security-Policy allows no script inside the page.)

globalThis.SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  // A token is worth as much as what it opens: it is gone with the tab.
  persistAuthorization: false,
  // The document is ours and checked by us; nothing of it goes to anybody's validator.
  validatorUrl: null,
});

// Runs in the browser without a build step. A file, because the page's Content-Security-Policy forbids inline scripts.

const list = document.querySelector("#list");
const operations = document.querySelector("#operations");

/** On phones, samples are closed at first: they would push the responses down. */
const narrow = matchMedia("(max-width: 640px)");

/** Shows an operation's samples, one language at a time, above its responses. */
function codeSamples({ React: { createElement, useEffect, useState }, specSelectors }) {
  function Samples({ samples }) {
    const [chosen, choose] = useState(0);
    const [copied, setCopied] = useState(false);
    const [open, setOpen] = useState(!narrow.matches);
    useEffect(() => {
      const follow = () => setOpen(!narrow.matches);
      narrow.addEventListener("change", follow);
      return () => narrow.removeEventListener("change", follow);
    }, []);
    const { source } = samples[chosen];
    const tabs = samples.map(({ label }, index) =>
      createElement(
        "button",
        {
          key: label,
          type: "button",
          "aria-pressed": index === chosen,
          onClick() {
            choose(index);
            setCopied(false);
          },
        },
        label,
      ),
    );
    const copy = createElement(
      "button",
      {
        type: "button",
        className: "copy-sample",
        // Without permission the sample can still be selected.
        onClick: () =>
          void navigator.clipboard?.writeText(source).then(
            () => setCopied(true),
            () => undefined,
          ),
      },
      copied ? "Copied" : "Copy",
    );
    return createElement(
      "details",
      { className: "code-samples", open, onToggle: (event) => setOpen(event.currentTarget.open) },
      createElement("summary", null, "Samples"),
      createElement("div", { className: "sample-tabs" }, ...tabs, copy),
      createElement("pre", null, createElement("code", null, source)),
    );
  }
  return {
    wrapComponents: {
      responses: (Original) => (props) => {
        const samples = specSelectors.specJson().getIn(["paths", props.path, props.method, "x-codeSamples"]);
        const shown = samples ? [createElement(Samples, { key: "samples", samples: samples.toJS() })] : [];
        return createElement("div", null, ...shown, createElement(Original, { key: "responses", ...props }));
      },
    },
  };
}

/**
 * Hides the parts of Swagger UI that the guide explains once for all operations: the description, the response headers, and the errors, of
 * which one line per status remains.
 */
function compact({ React: { createElement } }) {
  const links = (description) =>
    [...description.matchAll(/^`(\w+)`:/gm)].map(([, code]) =>
      createElement("a", { key: code, href: `#error-${code}`, className: "error-code" }, code),
    );
  const line = (code, content) =>
    createElement(
      "tr",
      { className: "response error-response", "data-code": code },
      createElement("td", { className: "response-col_status" }, code),
      createElement("td", { className: "response-col_description" }, content),
    );
  return {
    wrapComponents: {
      InfoContainer: () => () => null,
      headers: () => () => null,
      response: (Original) => (props) => {
        const { code, response } = props;
        if (code === "default") return line("other", createElement("a", { href: "#errors" }, "Errors of any path"));
        if (Number(code) < 400) return createElement(Original, props);
        return line(code, links(response.get("description") ?? ""));
      },
    },
  };
}

function load(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", reject);
    document.head.append(element);
  });
}

let opened = false;

/** Replaces the list with Swagger UI, which opens the operation of the URL's fragment. */
async function open() {
  if (opened) return;
  opened = true;
  list.setAttribute("aria-busy", "true");
  try {
    const styles = operations.dataset.styles
      .split(" ")
      .map((href) => Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    const script = Object.assign(document.createElement("script"), { src: operations.dataset.script });
    await Promise.all([...styles, script].map(load));
  } catch {
    // Offline, or a new version was deployed. Reloading the page gets the new URLs.
    opened = false;
    list.setAttribute("aria-busy", "false");
    return;
  }
  list.hidden = true;
  operations.hidden = false;
  globalThis.SwaggerUIBundle({
    url: "/v1/openapi.json",
    dom_id: "#operations",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: false,
    plugins: [compact, codeSamples],
    // The token is not stored, so that it is gone when the tab is closed.
    persistAuthorization: false,
    // The document is not sent to an external validator.
    validatorUrl: null,
  });
}

/** Opens and shows a part of the guide. */
function show(id) {
  const part = document.getElementById(id);
  if (!part) return;
  document.querySelector(".named")?.classList.remove("named");
  part.classList.add("named");
  part.closest("details").open = true;
  part.scrollIntoView({ block: "center" });
}

/** `#/…` names an operation; other fragments name a part of the guide. */
function follow() {
  const { hash } = location;
  if (hash.startsWith("#/")) void open();
  else if (hash.length > 1) show(hash.slice(1));
}

// Wide screens have room for the guide's first section next to the operations.
if (matchMedia("(min-width: 1100px)").matches) document.querySelector(".guide details").open = true;

addEventListener("hashchange", follow);
// Prevents the navigation, because Swagger UI keeps the open operation in the URL's fragment.
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#error"]');
  if (!link) return;
  event.preventDefault();
  show(link.getAttribute("href").slice(1));
});
follow();

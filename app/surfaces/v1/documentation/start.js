// Runs in the browser without a build step. A file, because the page's Content-Security-Policy forbids inline scripts.

const list = document.querySelector("#list");
/** where Swagger UI is */
const swagger = document.querySelector("#console");
const search = document.querySelector("#search");

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
      createElement("pre", { tabIndex: 0 }, createElement("code", null, source)),
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

/** Returns the types of a field, or the values that it can have. */
function typesOf({ const: only, enum: values, anyOf, type, items }) {
  if (only !== undefined) return [JSON.stringify(only)];
  if (values) return values.map((value) => JSON.stringify(value));
  if (anyOf) return anyOf.flatMap(typesOf);
  return type === "array" && items.type !== "object" && !items.oneOf
    ? [`array of ${typesOf(items).join(" | ")}`]
    : [type];
}

/** Returns the fields of a body, with those of the objects in it after each. Objects of several forms have the fields of all. */
function fieldsOf(schema, prefix = "") {
  const forms = (schema.oneOf ?? schema.anyOf ?? [schema]).filter(({ properties }) => properties);
  const names = new Set(forms.flatMap(({ properties }) => Object.keys(properties)));
  return [...names].flatMap((name) => {
    const fields = forms.flatMap(({ properties }) => properties[name] ?? []);
    const field = {
      name: prefix + name,
      types: [...new Set(fields.flatMap(typesOf))],
      required: forms.every(({ required = [] }) => required.includes(name)),
      description: fields.find(({ description }) => description)?.description ?? "",
    };
    const [{ items }] = fields;
    return [field, ...fieldsOf(items ?? fields[0], `${field.name}${items ? "[]" : ""}.`)];
  });
}

/** Shows the fields of a body above its example. Swagger UI has put schemas in the place of references to them. */
function bodyFields({ React: { createElement } }) {
  const withCode = (text) =>
    text.split("`").map((part, index) => (index % 2 === 1 ? createElement("code", { key: index }, part) : part));
  const rowOf = ({ name, types, required, description }) =>
    createElement(
      "tr",
      { key: name },
      createElement("th", { scope: "row" }, createElement("code", null, name), required ? " required" : ""),
      createElement("td", null, types.join(" | ")),
      createElement("td", null, ...withCode(description.replaceAll("*", ""))),
    );
  return {
    wrapComponents: {
      RequestBody: (Original) => (props) => {
        const schema = props.requestBody.getIn(["content", props.contentType, "schema"])?.toJS() ?? {};
        const head = ["field", "type", "meaning"].map((title) =>
          createElement("th", { key: title, scope: "col" }, title),
        );
        const table = createElement(
          "table",
          { key: "fields", className: "body-fields" },
          createElement("caption", null, "Fields of the body"),
          createElement("thead", null, createElement("tr", null, ...head)),
          createElement("tbody", null, ...fieldsOf(schema).map(rowOf)),
        );
        return createElement("div", null, table, createElement(Original, { key: "body", ...props }));
      },
    },
  };
}

/** Gives Swagger UI's elements what assistive technology needs, as they are added: names of choices, focus on what scrolls. */
function nameElements() {
  for (const select of swagger.querySelectorAll("select:not([aria-label])")) {
    const parameter = select.closest("[data-param-name]")?.dataset.paramName;
    select.setAttribute("aria-label", parameter ?? (select.matches(".examples-select-element") ? "Example" : "Server"));
  }
  for (const block of swagger.querySelectorAll("pre:not([tabindex])")) block.tabIndex = 0;
  for (const dialog of swagger.querySelectorAll(".modal-ux:not([role])")) {
    dialog.setAttribute("role", "dialog");
    dialog.setAttribute("aria-label", "Authorize");
    dialog.querySelector(".close-modal").setAttribute("aria-label", "Close");
  }
  // The button's text says the same.
  for (const button of swagger.querySelectorAll(".modal-btn[aria-label]")) button.removeAttribute("aria-label");
  // Landmarks without names, one for each operation that is open.
  for (const table of swagger.querySelectorAll("table[role=region]")) table.removeAttribute("role");
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
      // A link within the button that opens the operation, and to the same.
      DeepLink:
        () =>
        ({ text }) =>
          createElement("span", null, text),
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
/** Swagger UI, once it is loaded. */
let ui;

/** Replaces the list with Swagger UI, which opens the operation of the URL's fragment. */
async function open() {
  if (ui) {
    showMain();
    ui.layoutActions.parseDeepLinkHash(location.hash);
  }
  if (opened) return;
  opened = true;
  list.setAttribute("aria-busy", "true");
  try {
    const styles = swagger.dataset.styles
      .split(" ")
      .map((href) => Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    const script = Object.assign(document.createElement("script"), { src: swagger.dataset.script });
    await Promise.all([...styles, script].map(load));
  } catch {
    // Offline, or a new version was deployed. Reloading the page gets the new URLs.
    opened = false;
    list.setAttribute("aria-busy", "false");
    return;
  }
  new MutationObserver(nameElements).observe(swagger, { childList: true, subtree: true });
  ui = globalThis.SwaggerUIBundle({
    url: "/v1/openapi.json",
    dom_id: "#console",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: false,
    plugins: [compact, codeSamples, bodyFields],
    // The token is not stored, so that it is gone when the tab is closed.
    persistAuthorization: false,
    // The document is not sent to an external validator.
    validatorUrl: null,
  });
  showMain();
}

/** Shows Swagger UI if it is loaded and nothing is searched for; otherwise the operations that match the search. */
function showMain() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const links = [...list.querySelectorAll(".operation")];
  const found = links.filter(({ hash, textContent }) => {
    const text = `${hash} ${textContent}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  for (const link of links) link.parentElement.hidden = !found.includes(link);
  for (const section of list.children) section.hidden = !section.querySelector("li:not([hidden])");
  const operationsFound = found.length === 1 ? "1 operation" : `${found.length} operations`;
  document.querySelector("#found").textContent = words.length > 0 ? operationsFound : "";
  swagger.hidden = !ui || words.length > 0;
  list.hidden = !swagger.hidden;
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
search.addEventListener("input", showMain);
search.addEventListener("keydown", ({ key }) => {
  if (key === "Enter" && search.value.trim() !== "") list.querySelector("li:not([hidden]) .operation")?.click();
});
// As on GitHub and MDN.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  search.focus();
});
list.addEventListener("click", (event) => {
  const link = event.target.closest(".operation");
  if (!link) return;
  search.value = "";
  // Swagger UI changes the fragment without an event, so it can be the operation's already.
  if (link.hash === location.hash) follow();
});
// Prevents the navigation, because Swagger UI keeps the open operation in the URL's fragment.
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#error"]');
  if (!link) return;
  event.preventDefault();
  show(link.getAttribute("href").slice(1));
});
follow();

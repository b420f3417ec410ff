// Plain, accessible HTML for the components of Shopify's customer accounts.
import { COMPONENTS, type FieldState } from "./vocabulary.ts";
import { STYLES } from "./component-styles.ts";

/** Bubbles from a link whose address has one of Shopify's protocols. */
export const NAVIGATE = "devstore:navigate";

/** Values that the extension has set; those that it has reset are missing. */
type Values = Readonly<Record<string, unknown>>;
type Update = (values: Values) => void;

/** Builds the content of a component. @returns what shows changed values */
type Build = (host: Component, shadow: ShadowRoot) => Update;

abstract class Component extends HTMLElement {
  readonly values: Record<string, unknown> = {};
  #update: Update | undefined;

  protected abstract build(shadow: ShadowRoot): Update;

  connectedCallback(): void {
    if (!this.#update) {
      const shadow = this.attachShadow({ mode: "open", delegatesFocus: true });
      const style = document.createElement("style");
      style.textContent = STYLES;
      shadow.append(style);
      this.#update = this.build(shadow);
    }
    this.#update(this.values);
  }

  set(name: string, value: unknown): void {
    if (value === "" || value === null || value === undefined || value === false)
      Reflect.deleteProperty(this.values, name);
    else this.values[name] = value;
    if (this.isConnected) this.#update?.(this.values);
  }
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}

function slot(name = ""): HTMLSlotElement {
  return create("slot", { name });
}

/** Sets or removes an attribute. */
function mark(element: Element, name: string, value: unknown): void {
  if (value === undefined || value === "") element.removeAttribute(name);
  else element.setAttribute(name, text(value));
}

/** Shows a text, or hides the element without one. */
function showText(element: HTMLElement, value: unknown): void {
  element.textContent = text(value);
  element.hidden = value === undefined;
}

const GAPS: Readonly<Record<string, string>> = {
  "small-200": "4px",
  "small-100": "6px",
  small: "8px",
  base: "16px",
  large: "24px",
  "large-100": "32px",
};

const ROLES: Readonly<Record<string, string>> = {
  "unordered-list": "list",
  "list-item": "listitem",
  status: "status",
  section: "region",
};

function layout(display: "flex" | "grid" | "block"): Build {
  return (host, shadow) => {
    shadow.append(slot());
    return (values) => {
      Object.assign(host.style, {
        display,
        flexDirection: values["direction"] === "inline" ? "row" : "column",
        flexWrap: "wrap",
        gap: GAPS[text(values["gap"])] ?? "0",
        padding: GAPS[text(values["padding"])] ?? "0",
        alignItems: text(values["alignItems"]) || (values["direction"] === "inline" ? "center" : "stretch"),
        justifyContent: text(values["justifyContent"]),
        gridTemplateColumns: text(values["gridTemplateColumns"]),
        inlineSize: text(values["inlineSize"]),
        minInlineSize: "0",
      });
      mark(host, "role", ROLES[text(values["accessibilityRole"])]);
      mark(host, "aria-label", values["accessibilityLabel"]);
    };
  };
}

/** A text element whose look depends on its properties. */
function textual(name: "h3" | "p" | "span", className: string): Build {
  return (_host, shadow) => {
    const element = create(name, {}, slot());
    shadow.append(element);
    return ({ color, tone, type }) => {
      element.className = [className, color, tone, type].map(text).join(" ");
    };
  };
}

const EXTERNAL = /^(https?|mailto|tel):/;

/** Runs a control's command on the component that it names. */
function runCommand(host: Component): void {
  const { command, commandFor } = host.values;
  if (commandFor === undefined) return;
  const target = host.getRootNode();
  const found = target instanceof Document ? target.getElementById(text(commandFor)) : null;
  found?.dispatchEvent(new CustomEvent("devstore:command", { detail: command ?? "--auto" }));
}

/** A button, or a link when it has an address. */
function control(className: string): Build {
  return (host, shadow) => {
    const label = slot();
    const button = create("button", { type: "button", className });
    const link = create("a", { className });
    shadow.append(button, link);
    host.addEventListener("click", (event) => {
      if (host.values["disabled"] === true || host.values["loading"] === true) return;
      const { href, type } = host.values;
      if (href !== undefined && !EXTERNAL.test(text(href))) {
        event.preventDefault();
        host.dispatchEvent(new CustomEvent(NAVIGATE, { bubbles: true, detail: href }));
      }
      runCommand(host);
      if (type === "submit") host.closest("s-form")?.dispatchEvent(new CustomEvent("submit"));
    });
    return ({ href, target, variant, tone, disabled, loading, accessibilityLabel, inlineSize }) => {
      const isLink = href !== undefined;
      const shown = isLink ? link : button;
      if (label.parentNode !== shown) shown.append(label);
      link.hidden = !isLink;
      button.hidden = isLink;
      button.disabled = disabled === true || loading === true;
      mark(button, "aria-busy", loading === true ? "true" : undefined);
      mark(link, "href", isLink ? (EXTERNAL.test(text(href)) ? href : "#") : undefined);
      mark(link, "target", target === "auto" ? undefined : target);
      mark(link, "rel", target === "_blank" ? "noopener" : undefined);
      for (const one of [button, link]) {
        one.className = [className, variant, tone, inlineSize === "fill" ? "fill" : ""].map(text).join(" ");
        mark(one, "aria-label", accessibilityLabel);
      }
    };
  };
}

let fields = 0;

/** Adds label and error to a field. @returns what shows their values */
function labelled(shadow: ShadowRoot, field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): Update {
  const id = `field-${++fields}`;
  field.id = id;
  const label = create("label", { htmlFor: id });
  const error = create("p", { className: "error", id: `${id}-error` });
  shadow.append(create("div", { className: "field" }, label, field, error));
  return (values) => {
    showText(label, values["label"]);
    showText(error, values["error"]);
    mark(field, "aria-invalid", values["error"] === undefined ? undefined : "true");
    mark(field, "aria-describedby", values["error"] === undefined ? undefined : error.id);
    field.disabled = values["disabled"] === true;
  };
}

/** Sends a field's events with its state. */
function forward(host: Component, field: HTMLElement, state: () => FieldState): void {
  for (const name of ["input", "change", "focus", "blur"]) {
    field.addEventListener(name, (event) => {
      event.stopPropagation();
      host.dispatchEvent(new CustomEvent(name, { detail: state() }));
    });
  }
}

/** A field in which a customer types. */
const typedField = (input: HTMLInputElement | HTMLTextAreaElement, host: Component, shadow: ShadowRoot): Update => {
  const update = labelled(shadow, input);
  /** typed values that the worker has not sent back yet; until then, what it sends is older than what the customer sees */
  const unconfirmed: string[] = [];
  /** the value that the worker has after all events */
  let last = "";
  forward(host, input, () => {
    if (input.value !== last) unconfirmed.push(input.value);
    last = host.values["value"] = input.value;
    return { value: input.value };
  });
  const isOneLine = input instanceof HTMLInputElement;
  input.addEventListener("keydown", (event) => {
    if (isOneLine && event instanceof KeyboardEvent && event.key === "Enter" && !event.isComposing)
      host.closest("s-form")?.dispatchEvent(new CustomEvent("submit"));
  });
  return (values) => {
    update(values);
    const value = text(values["value"]);
    if (unconfirmed.includes(value)) unconfirmed.splice(0, unconfirmed.indexOf(value) + 1);
    else if (unconfirmed.length === 0 && input.value !== value) last = input.value = value;
    input.readOnly = values["readOnly"] === true;
    input.required = values["required"] === true;
    input.placeholder = text(values["placeholder"]);
    mark(input, "maxlength", values["maxLength"]);
    mark(input, "autocomplete", values["autocomplete"]);
  };
};

const textField: Build = (host, shadow) => typedField(create("input", { type: "text" }), host, shadow);

const textArea: Build = (host, shadow) => {
  const input = create("textarea");
  const update = typedField(input, host, shadow);
  return (values) => {
    update(values);
    mark(input, "rows", values["rows"]);
  };
};

const numberField: Build = (host, shadow) => {
  const input = create("input", { type: "number" });
  const update = typedField(input, host, shadow);
  return (values) => {
    update(values);
    for (const name of ["min", "max", "inputMode"]) mark(input, name, values[name]);
    mark(input, "step", values["step"] ?? "any");
  };
};

const select: Build = (host, shadow) => {
  const list = create("select");
  const options = slot();
  options.hidden = true;
  const update = labelled(shadow, list);
  shadow.append(options);
  forward(host, list, () => {
    host.values["value"] = list.value;
    return { value: list.value };
  });
  const read = (): void => {
    const items = [...host.querySelectorAll<Component>("s-option")].map((one) =>
      create("option", {
        value: text(one.values["value"]),
        textContent: one.textContent,
        disabled: one.values["disabled"] === true,
      }),
    );
    list.replaceChildren(...items);
    list.value = text(host.values["value"]);
  };
  new MutationObserver(read).observe(host, { childList: true, subtree: true, characterData: true });
  return (values) => {
    update(values);
    read();
  };
};

const checkbox: Build = (host, shadow) => {
  const input = create("input", { type: "checkbox" });
  const label = create("span");
  shadow.append(create("label", { className: "checkbox" }, input, label));
  forward(host, input, () => ({ checked: input.checked }));
  return (values) => {
    showText(label, values["label"]);
    mark(input, "aria-label", values["accessibilityLabel"]);
    input.checked = values["checked"] === true;
    input.disabled = values["disabled"] === true;
  };
};

const page: Build = (_host, shadow) => {
  const heading = create("h1");
  const sub = create("p", { className: "subdued" });
  const actions = create("div", { className: "actions" }, slot("secondary-actions"), slot("primary-action"));
  shadow.append(
    create("header", { className: "page" }, slot("breadcrumb-actions"), create("div", {}, heading, sub), actions),
    create("div", { className: "sections" }, slot()),
  );
  return (values) => {
    showText(heading, values["heading"]);
    showText(sub, values["subheading"]);
  };
};

const section: Build = (_host, shadow) => {
  const heading = create("h2");
  const part = create("section", {}, heading, slot());
  shadow.append(part);
  return (values) => {
    showText(heading, values["heading"]);
    mark(part, "aria-label", values["accessibilityLabel"] ?? values["heading"]);
  };
};

const banner: Build = (host, shadow) => {
  const heading = create("p", { className: "strong" });
  const dismiss = create("button", { type: "button", className: "dismiss", ariaLabel: "Close", textContent: "×" });
  const box = create("div", {}, create("div", {}, heading, slot()), dismiss);
  shadow.append(box);
  dismiss.addEventListener("click", () => host.dispatchEvent(new CustomEvent("dismiss")));
  return (values) => {
    showText(heading, values["heading"]);
    dismiss.hidden = values["dismissible"] !== true;
    box.className = `banner ${text(values["tone"])}`;
    box.setAttribute("role", values["tone"] === "critical" ? "alert" : "status");
  };
};

const modal: Build = (host, shadow) => {
  const heading = create("h2", { id: "heading" });
  const close = create("button", { type: "button", className: "dismiss", ariaLabel: "Close", textContent: "×" });
  const actions = create("div", { className: "actions" }, slot("secondary-actions"), slot("primary-action"));
  const dialog = create("dialog", {}, create("header", {}, heading, close), slot(), actions);
  dialog.setAttribute("aria-labelledby", heading.id);
  shadow.append(dialog);
  const say = (name: string) => host.dispatchEvent(new CustomEvent(name));
  const showOverlay = (): void => {
    if (dialog.open) return;
    dialog.showModal();
    say("show");
    say("aftershow");
  };
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    say("hide");
    say("afterhide");
  });
  host.addEventListener("devstore:command", (event) => {
    if (!(event instanceof CustomEvent)) return;
    if (event.detail === "--hide" || (event.detail === "--toggle" && dialog.open)) dialog.close();
    else showOverlay();
  });
  Object.assign(host, { hideOverlay: () => dialog.close() });
  return (values) => {
    showText(heading, values["heading"]);
  };
};

const clipboardItem: Build = (host) => {
  host.hidden = true;
  host.addEventListener("devstore:command", () => {
    navigator.clipboard.writeText(text(host.values["text"])).then(
      () => host.dispatchEvent(new CustomEvent("copy")),
      () => host.dispatchEvent(new CustomEvent("copyerror")),
    );
  });
  return () => undefined;
};

const thumbnail: Build = (_host, shadow) => {
  const picture = create("img", { loading: "lazy" });
  shadow.append(create("div", { className: "thumbnail" }, picture));
  return ({ src, alt }) => {
    if (picture.getAttribute("src") !== text(src)) picture.src = text(src);
    picture.alt = text(alt);
    picture.hidden = src === undefined;
  };
};

const spinner: Build = (_host, shadow) => {
  const wheel = create("div", { className: "spinner" });
  wheel.setAttribute("role", "status");
  shadow.append(wheel);
  return (values) => mark(wheel, "aria-label", values["accessibilityLabel"]);
};

const BUILDS: Readonly<Record<string, Build>> = {
  "s-page": page,
  "s-section": section,
  "s-stack": layout("flex"),
  "s-grid": layout("grid"),
  "s-box": layout("block"),
  "s-divider": (_host, shadow) => {
    shadow.append(create("hr"));
    return () => undefined;
  },
  "s-heading": textual("h3", "heading"),
  "s-paragraph": textual("p", "paragraph"),
  "s-text": textual("span", "text"),
  "s-badge": textual("span", "badge"),
  "s-link": control("link"),
  "s-button": control("button"),
  "s-product-thumbnail": thumbnail,
  "s-banner": banner,
  "s-modal": modal,
  "s-form": layout("block"),
  "s-text-field": textField,
  "s-text-area": textArea,
  "s-number-field": numberField,
  "s-select": select,
  "s-option": (host) => {
    host.hidden = true;
    return () => undefined;
  },
  "s-checkbox": checkbox,
  "s-spinner": spinner,
  "s-skeleton-paragraph": (_host, shadow) => {
    shadow.append(create("div", { className: "skeleton", ariaHidden: "true" }));
    return () => undefined;
  },
  "s-clipboard-item": clipboardItem,
};

/** Defines the elements. */
export function defineElements(): void {
  for (const [tag, { properties, booleans = [] }] of Object.entries(COMPONENTS)) {
    const build = BUILDS[tag];
    if (!build) throw new Error(`${tag} is not implemented`);
    class Element extends Component {
      protected override build(shadow: ShadowRoot): Update {
        return build?.(this, shadow) ?? (() => undefined);
      }
    }
    for (const name of [...properties, ...booleans]) {
      Object.defineProperty(Element.prototype, name, {
        get(this: Component): unknown {
          return this.values[name];
        },
        set(this: Component, value: unknown) {
          this.set(name, value);
        },
      });
    }
    customElements.define(tag, Element);
  }
}

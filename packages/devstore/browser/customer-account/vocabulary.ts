/** The components of Shopify's customer accounts that the extension uses: what an extension may set, hear and call. */
export interface Component {
  /** boolean properties are listed separately, because an attribute of theirs has no value */
  properties: readonly string[];
  booleans?: readonly string[];
  events?: readonly string[];
  methods?: readonly string[];
}

const LAYOUT = [
  "direction",
  "gap",
  "alignItems",
  "justifyContent",
  "padding",
  "inlineSize",
  "accessibilityRole",
  "accessibilityLabel",
];
const COMMANDS = ["command", "commandFor"];
const FIELD_EVENTS = ["input", "change", "focus", "blur"];

export const COMPONENTS: Readonly<Record<string, Component>> = {
  "s-page": { properties: ["heading", "subheading", "inlineSize"] },
  "s-section": { properties: ["heading", "accessibilityLabel"] },
  "s-stack": { properties: LAYOUT },
  "s-grid": { properties: [...LAYOUT, "gridTemplateColumns"] },
  "s-box": { properties: LAYOUT },
  "s-divider": { properties: [] },
  "s-heading": { properties: [] },
  "s-paragraph": { properties: ["color", "tone"] },
  "s-text": { properties: ["color", "tone", "type"] },
  "s-badge": { properties: ["tone"] },
  "s-link": { properties: ["href", "target", "accessibilityLabel", ...COMMANDS], events: ["click"] },
  "s-button": {
    properties: ["variant", "tone", "href", "target", "type", "accessibilityLabel", "inlineSize", ...COMMANDS],
    booleans: ["disabled", "loading"],
    events: ["click"],
  },
  "s-product-thumbnail": { properties: ["src", "alt", "size"] },
  "s-banner": { properties: ["heading", "tone"], booleans: ["dismissible"], events: ["dismiss"] },
  "s-modal": {
    properties: ["heading", "size", "accessibilityLabel"],
    events: ["show", "hide", "aftershow", "afterhide"],
    methods: ["hideOverlay"],
  },
  "s-form": { properties: [], events: ["submit"] },
  "s-text-field": {
    properties: ["label", "value", "error", "name", "placeholder", "autocomplete", "maxLength", "icon"],
    booleans: ["readOnly", "required", "disabled"],
    events: FIELD_EVENTS,
  },
  "s-number-field": {
    properties: ["label", "value", "error", "name", "autocomplete", "inputMode", "min", "max", "step"],
    booleans: ["readOnly", "required", "disabled"],
    events: FIELD_EVENTS,
  },
  "s-text-area": {
    properties: ["label", "value", "error", "name", "placeholder", "autocomplete", "maxLength", "rows"],
    booleans: ["readOnly", "required", "disabled"],
    events: FIELD_EVENTS,
  },
  "s-select": { properties: ["label", "value", "error", "name"], booleans: ["disabled"], events: FIELD_EVENTS },
  "s-option": { properties: ["value"], booleans: ["disabled"] },
  "s-checkbox": {
    properties: ["label", "accessibilityLabel", "value", "name"],
    booleans: ["checked", "disabled"],
    events: FIELD_EVENTS,
  },
  "s-spinner": { properties: ["accessibilityLabel", "size"] },
  "s-skeleton-paragraph": { properties: [] },
  "s-clipboard-item": { properties: ["text"], events: ["copy", "copyerror"] },
};

/** Attributes of all elements. */
export const ATTRIBUTES = ["id", "slot"] as const;

/** The state of a field, which accompanies its events. */
export interface FieldState {
  value?: string;
  checked?: boolean;
}

/** An entry of the browser's history, as the page tells it to the worker. */
export interface HistoryEntry {
  key: string;
  url: string;
  state: unknown;
}

/** What the page tells the worker about the extension that it runs. */
export interface ExtensionSetup {
  target: string;
  locale: string;
  /** texts of the extension in the language of the page and in its default language */
  texts: readonly unknown[];
  customerId: string;
}

/** How a navigation changes the browser's history. */
export type NavigationType = "push" | "replace" | "traverse";

/** The functions of the worker that the page calls. */
export interface WorkerFunctions {
  /** tells that the page has another address, which is still that of the extension */
  navigated: (entry: HistoryEntry, type: NavigationType) => Promise<void>;
}

/** The functions of the page that the worker calls. */
export interface HostFunctions {
  setup: () => Promise<ExtensionSetup & { entry: HistoryEntry }>;
  mutate: (records: unknown) => Promise<void>;
  call: (id: string, method: string, args: unknown) => Promise<unknown>;
  sessionToken: () => Promise<string>;
  toast: (text: string) => Promise<void>;
  hideToast: () => Promise<void>;
  navigate: (url: string, history: "auto" | "push" | "replace", state: unknown) => Promise<void>;
  updateState: (state: unknown) => Promise<void>;
  readStorage: (key: string) => Promise<string | null>;
  writeStorage: (key: string, json: string | null) => Promise<void>;
}

// Takes the theme's colours and corners from computed styles: themes name their variables differently, or have none.

/** Contrast of text that is still legible. */
const LEGIBLE = 3;
/** Contrast of a surface that stands out from the one below it. */
const VISIBLE = 1.1;
/** Pixels at the window's sides that a page leaves free at least. */
const MARGIN = 8;
/** The largest radius of panels and pictures, whatever the theme's buttons have. */
const ROUND = "12px";

interface Color {
  rgb: readonly [red: number, green: number, blue: number];
  alpha: number;
}

/** Returns undefined for colours in other notations. */
function colorOf(css: string): Color | undefined {
  const [red = 0, green = 0, blue, alpha = 1] = (/^rgba?\(([^)]+)\)$/.exec(css)?.[1]?.split(/[\s,/]+/) ?? []).map(
    Number,
  );
  return blue === undefined ? undefined : { rgb: [red, green, blue], alpha };
}

function isTransparent(css: string): boolean {
  return colorOf(css)?.alpha === 0;
}

function luminanceOf({ rgb }: Color): number {
  const linear = (one: number): number => (one > 10 ? ((one / 255 + 0.055) / 1.055) ** 2.4 : one / 3295);
  const [red, green, blue] = rgb;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrast(one: Color, other: Color): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns the background of the nearest element that has one. */
function groundOf(root: Element): string {
  for (let element: Element | null = root; element; element = element.parentElement) {
    const color = getComputedStyle(element).backgroundColor;
    if (!isTransparent(color)) return color;
  }
  return "Canvas";
}

function hasNoFrame(button: Element): boolean {
  const { borderTopWidth, backgroundImage, boxShadow } = getComputedStyle(button);
  return parseFloat(borderTopWidth) === 0 && backgroundImage === "none" && boxShadow === "none";
}

/** Tells whether a background can't be told from what it is on. */
function blends(css: string, paper: Color | undefined): boolean {
  const own = colorOf(css);
  return own?.alpha === 0 || Boolean(own && paper && contrast(own, paper) < VISIBLE);
}

/** Tells whether the page gives the root no room at its sides, as a section does that is made for the app's block alone. */
function isAtEdge(root: Element): boolean {
  const { left, right } = root.getBoundingClientRect();
  return left < MARGIN && right > document.documentElement.clientWidth - MARGIN;
}

/** Gives a root the theme's colours and its buttons' look. */
export function dress(root: HTMLElement): void {
  if (isAtEdge(root)) root.classList.add("wl-alone");
  setColors(root);
  setButtons(root);
}

function groundColor(root: Element): Color | undefined {
  const ground = groundOf(root);
  return colorOf(ground === "Canvas" ? "rgb(255, 255, 255)" : ground);
}

function setColors(root: HTMLElement): void {
  const text = getComputedStyle(root).color;
  const ink = colorOf(text);
  const paper = groundColor(root);
  // A picture may be behind the text: then the text's colour is all that is known.
  const isIllegible = ink && paper && contrast(ink, paper) < LEGIBLE;
  const ground = isIllegible ? (luminanceOf(ink) > 0.18 ? "#000" : "#fff") : groundOf(root);
  const isSeeThrough = paper && paper.alpha < 1 && ground !== "#000";
  root.style.setProperty("--wl-ink", ink ? `rgb(${ink.rgb.join()})` : text);
  root.style.setProperty("--wl-paper", isSeeThrough ? `rgb(${paper.rgb.join()})` : ground);
}

function setButtons(root: HTMLElement): void {
  const buttons = [...root.querySelectorAll(".wl-button")];
  const secondary = buttons.find((one) => one.matches(".button--secondary"));
  const button = buttons.find((one) => !one.matches(".button--secondary")) ?? secondary;
  if (!button) return;
  root.classList.remove("wl-bare", "wl-frameless");
  const { borderTopLeftRadius, backgroundColor } = getComputedStyle(button);
  const [radius = ""] = borderTopLeftRadius.split(" ");
  root.style.setProperty("--wl-radius", borderTopLeftRadius);
  root.style.setProperty("--wl-corner", `min(${radius}, ${ROUND})`);
  // The theme has no style for `.button`.
  const isBare = hasNoFrame(button) && isTransparent(backgroundColor);
  // The theme draws the secondary button's frame elsewhere, such as in `::after`, or not at all.
  const isFrameless =
    secondary && hasNoFrame(secondary) && blends(getComputedStyle(secondary).backgroundColor, groundColor(root));
  root.classList.toggle("wl-bare", isBare);
  root.classList.toggle("wl-frameless", isFrameless === true);
}

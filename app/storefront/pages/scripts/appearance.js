// Takes the theme's colours and corners from computed styles: themes name their variables differently, or have none.
window.wishlistAppearance ??= (() => {
  /** Contrast of text that is still legible. */
  const LEGIBLE = 3;
  /** Contrast of a surface that is told from the one below it. */
  const VISIBLE = 1.1;
  /** Pixels at the window's sides that a page leaves free at least. */
  const MARGIN = 8;
  /** Corners of panels and pictures are never rounder, whatever the theme's buttons are. */
  const ROUND = "12px";

  /** Red, green, blue and alpha; undefined for colours in other notations. */
  function channels(color) {
    const [red, green, blue, alpha = 1] = (/^rgba?\(([^)]+)\)$/.exec(color)?.[1].split(/[\s,/]+/) ?? []).map(Number);
    return blue === undefined ? undefined : { rgb: [red, green, blue], alpha };
  }

  const isTransparent = (color) => channels(color)?.alpha === 0;

  function luminance(rgb) {
    const [red, green, blue] = rgb.map((one) => (one > 10 ? ((one / 255 + 0.055) / 1.055) ** 2.4 : one / 3295));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  /** What the root stands on: the background of the nearest element that has one. */
  function groundOf(root) {
    for (let element = root; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if (!isTransparent(color)) return color;
    }
    return "Canvas";
  }

  function hasNoFrame(button) {
    const { borderTopWidth, backgroundImage, boxShadow } = getComputedStyle(button);
    return parseFloat(borderTopWidth) === 0 && backgroundImage === "none" && boxShadow === "none";
  }

  /** Whether a background can't be told from what it is on. */
  function isOn(color, paper) {
    const own = channels(color);
    return own?.alpha === 0 || Boolean(own && paper && contrast(own.rgb, paper.rgb) < VISIBLE);
  }

  /** Whether the page around gives the root no room at its sides, as a section does that is made for the app's block alone. */
  function isAtEdge(root) {
    const { left, right } = root.getBoundingClientRect();
    return left < MARGIN && right > document.documentElement.clientWidth - MARGIN;
  }

  function dress(root) {
    if (isAtEdge(root)) root.classList.add("wl-alone");
    const text = getComputedStyle(root).color;
    const ink = channels(text);
    let ground = groundOf(root);
    const paper = channels(ground === "Canvas" ? "rgb(255, 255, 255)" : ground);
    // A picture may be behind the text: then its colour is all that is known.
    if (ink && paper && contrast(ink.rgb, paper.rgb) < LEGIBLE) ground = luminance(ink.rgb) > 0.18 ? "#000" : "#fff";
    const { style } = root;
    style.setProperty("--wl-ink", ink ? `rgb(${ink.rgb.join()})` : text);
    style.setProperty("--wl-paper", paper?.alpha < 1 && ground !== "#000" ? `rgb(${paper.rgb.join()})` : ground);
    const buttons = [...root.querySelectorAll(".wl-button")];
    const second = buttons.find((one) => one.matches(".button--secondary"));
    const button = buttons.find((one) => !one.matches(".button--secondary")) ?? second;
    if (!button) return;
    root.classList.remove("wl-bare", "wl-frameless");
    const look = getComputedStyle(button);
    style.setProperty("--wl-radius", look.borderTopLeftRadius);
    style.setProperty("--wl-corner", `min(${look.borderTopLeftRadius.split(" ")[0]}, ${ROUND})`);
    // The theme has no style for `.button`.
    const isBare = hasNoFrame(button) && isTransparent(look.backgroundColor);
    // The theme draws the secondary button's frame elsewhere, such as in `::after`, or not at all.
    const isFrameless = second && hasNoFrame(second) && isOn(getComputedStyle(second).backgroundColor, paper);
    root.classList.toggle("wl-bare", isBare);
    root.classList.toggle("wl-frameless", isFrameless === true);
  }

  return { dress };
})();

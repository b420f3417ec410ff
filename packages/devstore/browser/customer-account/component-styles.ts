/** The style inside each component. */
export const STYLES = `
:host { display: block; }
:host([hidden]), [hidden] { display: none !important; }
:host(s-button), :host(s-link), :host(s-text), :host(s-badge) { display: inline-block; max-width: 100%; }
*, *::before, *::after { box-sizing: border-box; }
h1, h2, h3, p { margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 24px; line-height: 1.25; }
h2 { font-size: 18px; line-height: 1.3; }
h3 { font-size: 16px; }
:focus-visible { outline: 2px solid #2f4a3a; outline-offset: 2px; }
header.page { display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: center; justify-content: space-between; margin-bottom: 16px; }
header.page > div:first-of-type { flex: 1 1 200px; min-width: 0; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
.sections { display: flex; flex-direction: column; gap: 16px; }
section { background: #fff; border: 1px solid #deded9; border-radius: 10px; padding: 16px; }
section h2 { margin-bottom: 12px; }
hr { border: 0; border-top: 1px solid #e7e7e3; margin: 0; }
.text, .paragraph { overflow-wrap: anywhere; }
.subdued { color: #5c635e; }
.small { font-size: 14px; }
.strong { font-weight: 600; }
.text.critical, .paragraph.critical { color: #9f1c12; }
.text.success { color: #1d5a34; }
.badge { font-size: 13px; padding: 2px 8px; border-radius: 99px; background: #ecece8; color: #3a403c; white-space: nowrap; }
.badge.critical { background: #fbe4e1; color: #8a1a11; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 16px; border: 1px solid #7d857f; border-radius: 8px; background: #fff; color: #222824; font: inherit; line-height: 1.2; text-decoration: none; text-align: center; cursor: pointer; }
.button:hover { background: #f2f2ef; }
.button.primary { background: #2f4a3a; border-color: #2f4a3a; color: #fff; }
.button.primary:hover { background: #243a2d; }
.button.critical { border-color: #9f1c12; color: #9f1c12; }
.button.primary.critical { background: #9f1c12; color: #fff; }
.button:disabled { opacity: 0.6; cursor: default; }
.button[aria-busy="true"] { cursor: progress; }
.fill { width: 100%; }
.link { padding: 0; border: 0; background: none; color: #2f4a3a; font: inherit; text-align: start; text-decoration: underline; text-underline-offset: 3px; cursor: pointer; overflow-wrap: anywhere; }
.field { display: grid; gap: 4px; }
.field label { font-size: 14px; color: #4a514c; }
textarea { resize: vertical; }
input[type="text"], input[type="number"], textarea, select { width: 100%; min-width: 0; min-height: 44px; padding: 8px 12px; border: 1px solid #7d857f; border-radius: 8px; background: #fff; color: inherit; font: inherit; text-overflow: ellipsis; }
[aria-invalid="true"] { border-color: #9f1c12; }
.error { color: #9f1c12; font-size: 14px; }
.checkbox { display: inline-flex; align-items: center; gap: 8px; min-height: 24px; }
input[type="checkbox"] { flex: none; width: 24px; height: 24px; margin: 0; accent-color: #2f4a3a; }
.thumbnail { width: 72px; height: 72px; border-radius: 6px; overflow: hidden; background: #ecece8; }
img { display: block; width: 100%; height: 100%; object-fit: cover; }
.banner { display: flex; gap: 12px; justify-content: space-between; align-items: start; padding: 12px 16px; border: 1px solid #b9c4d6; border-radius: 10px; background: #eef3fb; overflow-wrap: anywhere; }
.banner > div { flex: 1; min-width: 0; }
.banner.critical { border-color: #e0a29c; background: #fdf0ee; }
.banner.warning { border-color: #dcc48a; background: #fdf6e3; }
.banner.success { border-color: #a5ccb2; background: #ecf6ef; }
.dismiss { min-width: 32px; min-height: 32px; border: 0; border-radius: 6px; background: none; color: inherit; font-size: 22px; line-height: 1; cursor: pointer; }
dialog { width: min(480px, calc(100vw - 32px)); padding: 20px; border: 0; border-radius: 12px; color: #222824; }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog header { display: flex; gap: 12px; justify-content: space-between; align-items: start; margin-bottom: 16px; }
dialog .actions { justify-content: flex-end; margin-top: 20px; }
.spinner { width: 32px; height: 32px; margin: 24px auto; border: 3px solid #d5d8d4; border-top-color: #2f4a3a; border-radius: 50%; animation: turn 0.8s linear infinite; }
@keyframes turn { to { transform: rotate(360deg); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation: none; } }
.skeleton { height: 16px; border-radius: 4px; background: #ecece8; }
`;

/** The bundled script of the pages (storefront-browser/page), by a plugin of Vite. */
declare module "virtual:wishlist-page-script" {
  const script: string;
  export default script;
}

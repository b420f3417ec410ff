import { render } from "preact";
import { WishlistPage } from "./wishlist-page.tsx";

export default function main(): void {
  render(<WishlistPage />, document.body);
}

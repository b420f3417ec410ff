import type { AlertKind } from "../alerts/kinds.ts";
import type { EmailLanguage } from "./settings.ts";

/** The texts of a message, as templates in Liquid. A shop's own subject and introduction replace these. */
type Texts = Readonly<
  Record<`subject_${AlertKind}` | `introduction_${AlertKind}`, string> & {
    /** of a message about several products */
    subject_several: string;
    introduction_several: string;
    greeting: string;
    instead_of: string;
    back_in_stock: string;
    few_left: string;
    view: string;
    open_list: string;
    more: string;
    because_requested: string;
    because_saved: string;
    unsubscribe: string;
  }
>;

const en: Texts = {
  subject_price_dropped: "{{ product }} now costs {{ price }}",
  subject_back_in_stock: "{{ product }} is back in stock",
  subject_low_stock: "Only a few left of {{ product }}",
  subject_reminder_due: "Still thinking about {{ product }}?",
  subject_several: "{{ product }} and {{ others }} more from your wishlist",
  introduction_price_dropped: "The price of something on your wishlist fell.",
  introduction_back_in_stock: "Something on your wishlist can be bought again.",
  introduction_low_stock: "Something on your wishlist is almost sold out.",
  introduction_reminder_due: "You saved this a while ago, and it is still available.",
  introduction_several: "There is news about products on your wishlist.",
  greeting: "Hello {{ name }},",
  instead_of: "instead of {{ price }}",
  back_in_stock: "Back in stock",
  few_left: "Only {{ n }} left",
  view: "View product",
  open_list: "Open your wishlist",
  more: "And {{ n }} more on your wishlist.",
  because_requested: "You get this email because you asked {{ shop }} for news about your wishlist.",
  because_saved: "You get this email because you saved products at {{ shop }}.",
  unsubscribe: "Unsubscribe",
};

const de: Texts = {
  subject_price_dropped: "{{ product }} kostet jetzt {{ price }}",
  subject_back_in_stock: "{{ product }} ist wieder da",
  subject_low_stock: "Nur noch wenige: {{ product }}",
  subject_reminder_due: "Denkst du noch an {{ product }}?",
  subject_several: "{{ product }} und {{ others }} mehr von deiner Wunschliste",
  introduction_price_dropped: "Etwas auf deiner Wunschliste ist günstiger geworden.",
  introduction_back_in_stock: "Etwas auf deiner Wunschliste ist wieder erhältlich.",
  introduction_low_stock: "Etwas auf deiner Wunschliste ist fast ausverkauft.",
  introduction_reminder_due: "Das hast du vor einiger Zeit gemerkt, und es ist noch erhältlich.",
  introduction_several: "Es gibt Neues zu Produkten auf deiner Wunschliste.",
  greeting: "Hallo {{ name }},",
  instead_of: "statt {{ price }}",
  back_in_stock: "Wieder erhältlich",
  few_left: "Nur noch {{ n }} da",
  view: "Zum Produkt",
  open_list: "Wunschliste öffnen",
  more: "Und {{ n }} mehr auf deiner Wunschliste.",
  because_requested: "Du bekommst diese E-Mail, weil du {{ shop }} um Neues zu deiner Wunschliste gebeten hast.",
  because_saved: "Du bekommst diese E-Mail, weil du bei {{ shop }} Produkte gemerkt hast.",
  unsubscribe: "Abbestellen",
};

const fr: Texts = {
  subject_price_dropped: "{{ product }} est maintenant à {{ price }}",
  subject_back_in_stock: "{{ product }} est de retour en stock",
  subject_low_stock: "Plus que quelques exemplaires : {{ product }}",
  subject_reminder_due: "Vous pensez toujours à {{ product }} ?",
  subject_several: "{{ product }} et {{ others }} autres de votre liste",
  introduction_price_dropped: "Le prix d’un article de votre liste a baissé.",
  introduction_back_in_stock: "Un article de votre liste est de nouveau disponible.",
  introduction_low_stock: "Un article de votre liste est presque épuisé.",
  introduction_reminder_due: "Vous l’avez enregistré il y a quelque temps, et il est toujours disponible.",
  introduction_several: "Il y a du nouveau pour des articles de votre liste.",
  greeting: "Bonjour {{ name }},",
  instead_of: "au lieu de {{ price }}",
  back_in_stock: "De retour en stock",
  few_left: "Plus que {{ n }}",
  view: "Voir le produit",
  open_list: "Ouvrir votre liste",
  more: "Et {{ n }} autres dans votre liste.",
  because_requested: "Vous recevez cet e-mail parce que vous avez demandé à {{ shop }} des nouvelles de votre liste.",
  because_saved: "Vous recevez cet e-mail parce que vous avez enregistré des produits chez {{ shop }}.",
  unsubscribe: "Se désabonner",
};

const es: Texts = {
  subject_price_dropped: "{{ product }} ahora cuesta {{ price }}",
  subject_back_in_stock: "{{ product }} vuelve a estar disponible",
  subject_low_stock: "Quedan pocas unidades de {{ product }}",
  subject_reminder_due: "¿Sigues pensando en {{ product }}?",
  subject_several: "{{ product }} y {{ others }} más de tu lista",
  introduction_price_dropped: "Ha bajado el precio de un producto de tu lista.",
  introduction_back_in_stock: "Un producto de tu lista vuelve a estar disponible.",
  introduction_low_stock: "Un producto de tu lista está casi agotado.",
  introduction_reminder_due: "Lo guardaste hace un tiempo y sigue disponible.",
  introduction_several: "Hay novedades sobre productos de tu lista.",
  greeting: "Hola {{ name }}:",
  instead_of: "en vez de {{ price }}",
  back_in_stock: "Disponible de nuevo",
  few_left: "Solo quedan {{ n }}",
  view: "Ver producto",
  open_list: "Abrir tu lista",
  more: "Y {{ n }} más en tu lista.",
  because_requested: "Recibes este correo porque pediste a {{ shop }} novedades sobre tu lista.",
  because_saved: "Recibes este correo porque guardaste productos en {{ shop }}.",
  unsubscribe: "Darse de baja",
};

const ja: Texts = {
  subject_price_dropped: "{{ product }}が{{ price }}になりました",
  subject_back_in_stock: "{{ product }}が再入荷しました",
  subject_low_stock: "{{ product }}が残りわずかです",
  subject_reminder_due: "{{ product }}はまだご検討中ですか？",
  subject_several: "{{ product }}ほか{{ others }}点のお知らせ",
  introduction_price_dropped: "ほしいものリストの商品が値下がりしました。",
  introduction_back_in_stock: "ほしいものリストの商品が再入荷しました。",
  introduction_low_stock: "ほしいものリストの商品が残りわずかです。",
  introduction_reminder_due: "以前保存された商品は、まだご購入いただけます。",
  introduction_several: "ほしいものリストの商品についてお知らせがあります。",
  greeting: "{{ name }}様",
  instead_of: "（以前は{{ price }}）",
  back_in_stock: "再入荷",
  few_left: "残り{{ n }}点",
  view: "商品を見る",
  open_list: "ほしいものリストを開く",
  more: "ほかに{{ n }}点あります。",
  because_requested: "このメールは、{{ shop }}にほしいものリストのお知らせを希望された方にお送りしています。",
  because_saved: "このメールは、{{ shop }}で商品を保存された方にお送りしています。",
  unsubscribe: "配信停止",
};

const LANGUAGES: Readonly<Record<EmailLanguage, Texts>> = { en, de, fr, es, ja };

function isLanguage(language: string): language is EmailLanguage {
  return language in LANGUAGES;
}

/** Returns the language of messages to a shopper. @param locale such as `de` or `pt-BR`; English stands in for unknown ones */
export function languageOf(locale: string | null): EmailLanguage {
  const language = (locale ?? "").slice(0, 2).toLowerCase();
  return isLanguage(language) ? language : "en";
}

export function textsIn(language: EmailLanguage): Texts {
  return LANGUAGES[language];
}

import type { AlertKind } from "../alerts/kinds.ts";
import type { EmailLanguage } from "./settings.ts";

/** The texts of a message, as templates in Liquid. A shop's own subject and introduction replace these. */
export type Texts = Readonly<
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
    /** of the email with which somebody without an account confirms */
    subject_confirm: string;
    introduction_confirm_back_in_stock: string;
    introduction_confirm_price_dropped: string;
    introduction_confirm_target: string;
    confirm: string;
    because_confirm: string;
    /** of alerts that were asked for, whose products are in no list */
    subject_several_requested: string;
    introduction_requested_back_in_stock: string;
    introduction_requested_price_dropped: string;
    introduction_several_requested: string;
    because_of_request: string;
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
  subject_confirm: "Please confirm: {{ product }}",
  introduction_confirm_back_in_stock: "Confirm that {{ shop }} may email you once this is back in stock.",
  introduction_confirm_price_dropped: "Confirm that {{ shop }} may email you once the price of this drops.",
  introduction_confirm_target: "Confirm that {{ shop }} may email you once this costs {{ price }} or less.",
  confirm: "Confirm",
  because_confirm:
    "You get this email because somebody entered your address at {{ shop }}. If it was not you, do nothing: no other email follows, and the address is deleted within a week.",
  subject_several_requested: "{{ product }} and {{ others }} more that you asked about",
  introduction_requested_back_in_stock: "You asked to hear when this is back in stock. It can be bought again.",
  introduction_requested_price_dropped: "You asked to hear when the price of this drops. It did.",
  introduction_several_requested: "There is news about products that you asked about.",
  because_of_request:
    "You get this email because you asked {{ shop }} to write to you about this product. It is sent once.",
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
  subject_confirm: "Bitte bestätigen: {{ product }}",
  introduction_confirm_back_in_stock: "Bestätige, dass {{ shop }} dir schreiben darf, sobald das wieder da ist.",
  introduction_confirm_price_dropped: "Bestätige, dass {{ shop }} dir schreiben darf, sobald der Preis sinkt.",
  introduction_confirm_target:
    "Bestätige, dass {{ shop }} dir schreiben darf, sobald das {{ price }} oder weniger kostet.",
  confirm: "Bestätigen",
  because_confirm:
    "Du bekommst diese E-Mail, weil jemand deine Adresse bei {{ shop }} eingegeben hat. Warst du es nicht, tu nichts: Es folgt keine weitere E-Mail, und die Adresse wird binnen einer Woche gelöscht.",
  subject_several_requested: "{{ product }} und {{ others }} mehr, nach denen du gefragt hast",
  introduction_requested_back_in_stock: "Du wolltest wissen, wann das wieder da ist. Es ist wieder erhältlich.",
  introduction_requested_price_dropped: "Du wolltest wissen, wann der Preis sinkt. Jetzt ist er gesunken.",
  introduction_several_requested: "Es gibt Neues zu Produkten, nach denen du gefragt hast.",
  because_of_request:
    "Du bekommst diese E-Mail, weil du {{ shop }} gebeten hast, dir zu diesem Produkt zu schreiben. Sie kommt einmal.",
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
  subject_confirm: "Veuillez confirmer : {{ product }}",
  introduction_confirm_back_in_stock:
    "Confirmez que {{ shop }} peut vous écrire quand cet article sera de retour en stock.",
  introduction_confirm_price_dropped:
    "Confirmez que {{ shop }} peut vous écrire quand le prix de cet article baissera.",
  introduction_confirm_target:
    "Confirmez que {{ shop }} peut vous écrire quand cet article coûtera {{ price }} ou moins.",
  confirm: "Confirmer",
  because_confirm:
    "Vous recevez cet e-mail parce que quelqu’un a saisi votre adresse chez {{ shop }}. Si ce n’était pas vous, ne faites rien : aucun autre e-mail ne suivra, et l’adresse sera supprimée sous une semaine.",
  subject_several_requested: "{{ product }} et {{ others }} autres que vous suivez",
  introduction_requested_back_in_stock:
    "Vous vouliez savoir quand cet article serait de retour. Il est de nouveau disponible.",
  introduction_requested_price_dropped: "Vous vouliez savoir quand le prix baisserait. C’est le cas.",
  introduction_several_requested: "Il y a du nouveau pour des articles que vous suivez.",
  because_of_request:
    "Vous recevez cet e-mail parce que vous avez demandé à {{ shop }} de vous écrire au sujet de cet article. Il n’est envoyé qu’une fois.",
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
  subject_confirm: "Confirma, por favor: {{ product }}",
  introduction_confirm_back_in_stock: "Confirma que {{ shop }} puede escribirte cuando vuelva a haber existencias.",
  introduction_confirm_price_dropped: "Confirma que {{ shop }} puede escribirte cuando baje el precio.",
  introduction_confirm_target: "Confirma que {{ shop }} puede escribirte cuando cueste {{ price }} o menos.",
  confirm: "Confirmar",
  because_confirm:
    "Recibes este correo porque alguien escribió tu dirección en {{ shop }}. Si no fuiste tú, no hagas nada: no llegará ningún otro correo y la dirección se borrará en una semana.",
  subject_several_requested: "{{ product }} y {{ others }} más por los que preguntaste",
  introduction_requested_back_in_stock: "Querías saber cuándo volvería a estar disponible. Ya se puede comprar.",
  introduction_requested_price_dropped: "Querías saber cuándo bajaría el precio. Ha bajado.",
  introduction_several_requested: "Hay novedades sobre productos por los que preguntaste.",
  because_of_request:
    "Recibes este correo porque pediste a {{ shop }} que te escribiera sobre este producto. Se envía una sola vez.",
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
  subject_confirm: "ご確認ください：{{ product }}",
  introduction_confirm_back_in_stock: "この商品が再入荷したとき、{{ shop }}からメールを受け取ることをご確認ください。",
  introduction_confirm_price_dropped:
    "この商品が値下がりしたとき、{{ shop }}からメールを受け取ることをご確認ください。",
  introduction_confirm_target:
    "この商品が{{ price }}以下になったとき、{{ shop }}からメールを受け取ることをご確認ください。",
  confirm: "確認する",
  because_confirm:
    "このメールは、{{ shop }}でこのアドレスが入力されたためお送りしています。お心当たりがない場合は何もする必要はありません。他のメールは送信されず、アドレスは1週間以内に削除されます。",
  subject_several_requested: "{{ product }}ほか{{ others }}点のお知らせ",
  introduction_requested_back_in_stock: "お知らせをご希望の商品が再入荷しました。",
  introduction_requested_price_dropped: "お知らせをご希望の商品が値下がりしました。",
  introduction_several_requested: "お知らせをご希望の商品について新しい情報があります。",
  because_of_request: "このメールは、この商品のお知らせを{{ shop }}に希望された方に1回だけお送りしています。",
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

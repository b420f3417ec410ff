/**
 * A message about alerts, as Liquid that escapes its values. Mail programs keep inline styles and tables; the style sheet is for phones and dark mode,
 * where they know it. The first text is what an inbox shows beside the subject.
 */
export const MESSAGE = `<!doctype html>
<html lang="{{ language }}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>{{ subject }}</title>
    <style>
      :root {
        color-scheme: light dark;
        supported-color-schemes: light dark;
      }
      body {
        margin: 0;
        padding: 0;
        -webkit-text-size-adjust: 100%;
      }
      img {
        border: 0;
        display: block;
      }
      a {
        color: inherit;
      }
      @media (max-width: 480px) {
        .outer {
          padding: 0 !important;
        }
        .sheet {
          border-radius: 0 !important;
        }
        .inner {
          padding-left: 20px !important;
          padding-right: 20px !important;
        }
        .picture {
          width: 88px !important;
        }
        .picture img {
          width: 72px !important;
          height: 72px !important;
        }
      }
      @media (prefers-color-scheme: dark) {
        .canvas {
          background: #111214 !important;
        }
        .sheet {
          background: #1d1f22 !important;
        }
        .text {
          color: #f1f2f4 !important;
        }
        .muted {
          color: #a3a8b0 !important;
        }
        .rule {
          border-color: #34383e !important;
        }
      }
    </style>
  </head>
  <body class="canvas" style="margin:0;padding:0;background:#f3f4f6;">
    <div style="display:none;max-height:0;overflow:hidden;opacity:0;">{{ introduction }}</div>
    <table
      class="canvas"
      role="presentation"
      width="100%"
      cellpadding="0"
      cellspacing="0"
      border="0"
      style="background:#f3f4f6;"
    >
      <tr>
        <td class="outer" align="center" style="padding:24px 12px;">
          <table
            class="sheet"
            role="presentation"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            style="max-width:600px;background:#ffffff;border-radius:12px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
          >
            <tr>
              <td class="inner" style="padding:28px 32px 0;">
                {%- if logo -%}
                  <img src="{{ logo }}" alt="{{ shop }}" height="40" style="height:40px;max-width:240px;width:auto;">
                {%- else -%}
                  <span class="text" style="font-size:20px;line-height:28px;font-weight:700;color:#1a1c1f;">
                    {{- shop -}}
                  </span>
                {%- endif -%}
              </td>
            </tr>
            <tr>
              <td class="inner text" style="padding:20px 32px 8px;font-size:16px;line-height:24px;color:#1a1c1f;">
                {%- if greeting != '' -%}
                  <p style="margin:0 0 8px;">{{ greeting }}</p>
                {%- endif -%}
                <p style="margin:0;">{{ introduction | escape | newline_to_br | raw }}</p>
              </td>
            </tr>
            {%- for product in products -%}
              <tr>
                <td class="inner" style="padding:0 32px;">
                  <table
                    class="rule"
                    role="presentation"
                    width="100%"
                    cellpadding="0"
                    cellspacing="0"
                    border="0"
                    {% unless forloop.first %}
                      style="border-top:1px solid #e3e5e8;"
                    {% endunless %}
                  >
                    <tr>
                      {%- if product.image -%}
                        <td class="picture" width="136" valign="top" style="width:136px;padding:20px 0;">
                          <a href="{{ product.url }}"
                            ><img
                              src="{{ product.image }}"
                              alt=""
                              width="120"
                              height="120"
                              style="width:120px;height:120px;object-fit:cover;border-radius:8px;"
                          ></a>
                        </td>
                      {%- endif -%}
                      <td valign="top" style="padding:20px 0;">
                        <a
                          class="text"
                          href="{{ product.url }}"
                          style="font-size:17px;line-height:24px;font-weight:600;color:#1a1c1f;text-decoration:none;"
                        >
                          {{- product.title -}}
                        </a>
                        {%- for variant in product.variants -%}
                          <div class="text" style="margin-top:6px;font-size:15px;line-height:22px;color:#1a1c1f;">
                            {%- if variant.title -%}
                              <span class="muted" style="color:#5b6168;">{{ variant.title }}</span><br>
                            {%- endif -%}
                            <strong>{{ variant.price }}</strong>
                            {%- if variant.before %}
                              <span class="muted" style="color:#5b6168;text-decoration:line-through;">
                                {{- variant.before -}}
                              </span>
                            {%- endif -%}
                            {%- for note in variant.notes -%}
                              <br>
                              {{ note }}
                            {%- endfor -%}
                          </div>
                        {%- endfor -%}
                        <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:14px;">
                          <tr>
                            <td style="border-radius:8px;background:{{ accent }};">
                              <a
                                href="{{ product.url }}"
                                style="display:inline-block;padding:11px 20px;font-size:15px;line-height:20px;font-weight:600;color:{{ on_accent }};text-decoration:none;border-radius:8px;"
                              >
                                {{- view -}}
                              </a>
                            </td>
                          </tr>
                        </table>
                      </td>
                    </tr>
                  </table>
                </td>
              </tr>
            {%- endfor -%}
            <tr>
              <td class="inner" style="padding:12px 32px 28px;font-size:15px;line-height:22px;">
                {%- if more != '' -%}
                  <span class="muted" style="color:#5b6168;">{{ more }}</span><br>
                {%- endif -%}
                {%- if list_url -%}
                  <a class="text" href="{{ list_url }}" style="color:#1a1c1f;">{{ open_list }}</a>
                {%- endif -%}
              </td>
            </tr>
            <tr>
              <td
                class="inner rule muted"
                style="padding:20px 32px 28px;border-top:1px solid #e3e5e8;font-size:13px;line-height:20px;color:#5b6168;"
              >
                {{ reason }}
                {%- if unsubscribe_url %}
                  <a class="muted" href="{{ unsubscribe_url }}" style="color:#5b6168;">{{ unsubscribe }}</a>
                {%- endif -%}
                <br>
                <br>
                {{ postal_address | escape | newline_to_br | raw }}
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;

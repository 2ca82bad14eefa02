package dev.sluice.samples.web.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The HTML page of an error. It contains nothing of the request, so a request cannot inject a script. */
final class ErrorPage {

    static final String TYPE = "text/html; charset=utf-8";

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%1$d %2$s</title>
            <style>
            body { margin: 18vh auto 0; max-width: 32rem; padding: 0 1.5rem; font: 1.1rem/1.6 system-ui, sans-serif;
                   color: #1d3540; background: #f5f8f8 }
            b { display: block; font-size: 4.5rem; line-height: 1; color: #0e7c86 }
            h1 { margin: .4rem 0; font-size: 1.5rem }
            @media (prefers-color-scheme: dark) { body { color: #d8e5e7; background: #10191d } b { color: #45b8c1 } }
            </style>
            </head>
            <body><b>%1$d</b><h1>%2$s</h1><p>%3$s</p></body>
            </html>
            """;

    private ErrorPage() {
    }

    static byte[] of(int code, String reason, String explanation) {
        return String.format(Locale.ROOT, PAGE, code, reason, explanation).getBytes(StandardCharsets.UTF_8);
    }
}

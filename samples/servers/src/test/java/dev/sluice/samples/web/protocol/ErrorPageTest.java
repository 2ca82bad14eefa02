package dev.sluice.samples.web.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The page that explains an error. */
class ErrorPageTest {

    @Test
    void codeHasAsciiDigitsInEveryLocale() {
        Locale before = Locale.getDefault(Locale.Category.FORMAT);
        try {
            Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
            String page = new String(ErrorPage.of(404, "Not Found", "It is not here."), StandardCharsets.UTF_8);
            assertTrue(page.contains("<b>404</b>"), page);
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, before);
        }
    }
}

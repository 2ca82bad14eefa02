package dev.sluice.benchmarks.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Markdown as GitHub reads it. */
final class Markdown {

    // An underscore inside a word is only itself.
    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*\\[\\]|]|(?<!\\w)_|_(?!\\w)");

    private Markdown() {
    }

    /** {@return text that is shown as it is, on one line, also in a table} */
    static String text(String text) {
        String line = text.strip().replaceAll("\\s+", " ").replace("&", "&amp;").replace("<", "&lt;")
                .replace(">", "&gt;");
        return SPECIAL.matcher(line).replaceAll(match -> Matcher.quoteReplacement("\\" + match.group()));
    }

    /** {@return code, also in a table} */
    static String code(String code) {
        return "`" + code.strip().replaceAll("\\s+", " ").replace("`", "'").replace("|", "\\|") + "`";
    }

    /** {@return the row of a table} */
    static String row(Iterable<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}

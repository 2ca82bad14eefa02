package dev.sluice.samples.dns;

import java.util.ArrayList;
import java.util.List;

/**
 * An entry of a master file (RFC 1035 section 5.1): usually a line, more with parentheses.
 *
 * @param line        the line that it begins in, from 1
 * @param isOwnerless whether it begins with blanks, and so belongs to the owner of the entry before it
 * @param words       its words, without comments; a quoted word without its quotes, escapes unchanged
 */
record ZoneEntry(int line, boolean isOwnerless, List<String> words) {

    /**
     * Splits a master file into entries.
     *
     * @param file its name, for messages
     * @param text its text
     * @return its entries, without the empty ones
     * @throws ZoneProblem if a quote or a parenthesis is not closed, or closed without having been opened
     */
    static List<ZoneEntry> split(String file, String text) throws ZoneProblem {
        return new Splitting(file, text).entries();
    }

    /** The state of splitting a file. */
    private static final class Splitting {

        private final String file;
        private final String text;
        private final List<ZoneEntry> entries = new ArrayList<>();
        private List<String> words = new ArrayList<>();
        private int at;
        private int line = 1;
        private int begin = 1;
        private boolean isOwnerless;
        private int open;

        Splitting(String file, String text) {
            this.file = file;
            this.text = text;
        }

        List<ZoneEntry> entries() throws ZoneProblem {
            beginEntry();
            while (at < text.length()) {
                char next = text.charAt(at);
                switch (next) {
                    case '\n' -> endLine();
                    case ' ', '\t', '\r' -> at++;
                    case ';' -> skipComment();
                    case '"' -> words.add(quoted());
                    case '(' -> {
                        open++;
                        at++;
                    }
                    case ')' -> close();
                    default -> words.add(plain());
                }
            }
            if (open > 0) {
                throw new ZoneProblem(file, begin, "a parenthesis is not closed");
            }
            endEntry();
            return entries;
        }

        private void endLine() {
            at++;
            line++;
            if (open == 0) {
                endEntry();
            }
        }

        private void endEntry() {
            if (!words.isEmpty()) {
                entries.add(new ZoneEntry(begin, isOwnerless, words));
                words = new ArrayList<>();
            }
            beginEntry();
        }

        private void beginEntry() {
            begin = line;
            isOwnerless = at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t');
        }

        private void skipComment() {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        }

        private void close() throws ZoneProblem {
            if (open == 0) {
                throw new ZoneProblem(file, line, "a parenthesis is closed that is not open");
            }
            open--;
            at++;
        }

        private String quoted() throws ZoneProblem {
            int first = ++at;
            while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\n') {
                at += isEscape() ? 2 : 1;
            }
            if (at >= text.length() || text.charAt(at) != '"') {
                throw new ZoneProblem(file, line, "a quote is not closed on its line");
            }
            return text.substring(first, at++);
        }

        private String plain() {
            int first = at;
            while (at < text.length() && " \t\r\n;\"()".indexOf(text.charAt(at)) < 0) {
                at += isEscape() ? 2 : 1;
            }
            return text.substring(first, at);
        }

        /** {@return whether this character escapes the next one} */
        private boolean isEscape() {
            return text.charAt(at) == '\\' && at + 1 < text.length() && text.charAt(at + 1) != '\n';
        }
    }
}

package dev.sluice.samples.web.protocol;

/** Compares entity tags (RFC 9110 section 8.8.3). Those of this server are strong. */
final class EntityTags {

    private EntityTags() {
    }

    /**
     * Whether a list, or {@code *}, has a tag.
     *
     * @param list the value of If-Match or If-None-Match
     * @param tag  the current one, with its quotation marks
     * @param weak whether a weak one of the same text is good enough (section 8.8.3.2)
     */
    static boolean match(String list, String tag, boolean weak) {
        if (list.equals("*")) {
            return true;
        }
        int at = 0;
        while (at < list.length()) {
            char c = list.charAt(at);
            if (c == ' ' || c == '\t' || c == ',') {
                at++;
                continue;
            }
            boolean isWeak = list.startsWith("W/", at);
            int open = isWeak ? at + 2 : at;
            int close = list.indexOf('"', open + 1);
            if (close < 0 || list.charAt(open) != '"') {
                return false;
            }
            int length = close + 1 - open;
            if ((weak || !isWeak) && length == tag.length() && list.startsWith(tag, open)) {
                return true;
            }
            at = close + 1;
        }
        return false;
    }
}

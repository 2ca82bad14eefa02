package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.web.files.DirectoryEntry;
import java.util.List;

/** The page that lists a directory. File names may contain anything, and are escaped. */
final class DirectoryListing {

    static final String TYPE = "text/html; charset=utf-8";

    private DirectoryListing() {
    }

    static byte[] of(String path, List<DirectoryEntry> entries) {
        StringBuilder page = new StringBuilder("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>""");
        escape(path, page);
        page.append("</title>\n</head>\n<body>\n<h1>");
        escape(path, page);
        page.append("</h1>\n<table>\n");
        if (path.length() > 1) {
            page.append("<tr><td><a href=\"../\">../</a></td></tr>\n");
        }
        for (DirectoryEntry entry : entries) {
            String slash = entry.isDirectory() ? "/" : "";
            // Relative, and begun with the dot so that a colon in the name begins no scheme (RFC 3986 section 4.2).
            page.append("<tr><td><a href=\"./");
            escape(TargetPath.encodeSegment(entry.name()), page);
            page.append(slash).append("\">");
            escape(entry.name(), page);
            page.append(slash).append("</a></td><td>");
            if (!entry.isDirectory()) {
                page.append(entry.size());
            }
            page.append("</td><td>").append(new String(HttpDate.format(entry.modifiedSecond()), UTF_8))
                    .append("</td></tr>\n");
        }
        return page.append("</table>\n</body>\n</html>\n").toString().getBytes(UTF_8);
    }

    private static void escape(String text, StringBuilder page) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> page.append("&amp;");
                case '<' -> page.append("&lt;");
                case '>' -> page.append("&gt;");
                case '"' -> page.append("&quot;");
                case '\'' -> page.append("&#39;");
                default -> page.append(c);
            }
        }
    }
}

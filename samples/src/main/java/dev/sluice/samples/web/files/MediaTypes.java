package dev.sluice.samples.web.files;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Media types by the extension of a file's name. */
final class MediaTypes {

    private static final String UNKNOWN = "application/octet-stream";
    private static final String UTF_8 = "; charset=utf-8";
    private static final Map<String, String> TYPES = new HashMap<>();

    static {
        add("text/html" + UTF_8, "html", "htm");
        add("text/css" + UTF_8, "css");
        // RFC 9239 makes this the one type of all JavaScript.
        add("text/javascript" + UTF_8, "js", "mjs");
        add("text/plain" + UTF_8, "txt", "text", "log", "java", "c", "h", "sh", "conf", "ini", "diff", "patch");
        add("text/markdown" + UTF_8, "md");
        add("text/csv" + UTF_8, "csv");
        add("application/json", "json", "map");
        add("application/xml", "xml", "xsl");
        add("application/manifest+json", "webmanifest");
        add("application/pdf", "pdf");
        add("application/wasm", "wasm");
        add("application/zip", "zip");
        add("application/gzip", "gz", "tgz");
        add("application/java-archive", "jar");
        add("image/svg+xml", "svg");
        add("image/png", "png");
        add("image/jpeg", "jpg", "jpeg");
        add("image/gif", "gif");
        add("image/webp", "webp");
        add("image/avif", "avif");
        add("image/x-icon", "ico");
        add("font/woff", "woff");
        add("font/woff2", "woff2");
        add("font/ttf", "ttf");
        add("font/otf", "otf");
        add("audio/mpeg", "mp3");
        add("audio/ogg", "ogg", "oga", "opus");
        add("audio/wav", "wav");
        add("video/mp4", "mp4", "m4v");
        add("video/webm", "webm");
        add("video/ogg", "ogv");
    }

    private MediaTypes() {
    }

    private static void add(String type, String... extensions) {
        for (String extension : extensions) {
            TYPES.put(extension, type);
        }
    }

    static String of(String name) {
        int dot = name.lastIndexOf('.');
        // A dot in the name of a directory makes no extension.
        return dot <= name.lastIndexOf('/') ? UNKNOWN
                : TYPES.getOrDefault(name.substring(dot + 1).toLowerCase(Locale.ROOT), UNKNOWN);
    }
}

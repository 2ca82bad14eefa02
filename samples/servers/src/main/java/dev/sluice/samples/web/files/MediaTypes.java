package dev.sluice.samples.web.files;

import dev.sluice.samples.server.RegularFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Media types by the extension of a file's name. Built-in types take precedence over those of the system, because they
 * name the character set.
 */
public final class MediaTypes {

    private static final String UNKNOWN = "application/octet-stream";
    private static final String UTF_8 = "; charset=utf-8";
    private static final Set<String> COMPRESSIBLE = Set.of("application/wasm", "application/javascript", "font/ttf",
            "font/otf", "image/x-icon", "image/bmp");
    private static final Map<String, String> KNOWN = new HashMap<>();

    /** Octets of a file; a system's has some ten thousands. */
    private static final int MAX_SIZE = 1 << 24;

    /** RFC 6838 section 4.2; nothing else may get into a header. */
    private static final Pattern TYPE =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*");

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

    /** Those that are built in. */
    public static final MediaTypes BUILT_IN = new MediaTypes(Map.of());

    private final Map<String, String> types;

    private MediaTypes(Map<String, String> others) {
        types = new HashMap<>(others);
        types.putAll(KNOWN);
    }

    /**
     * Reads the types of the system besides: lines of a type and the extensions that mean it, as in
     * {@code /etc/mime.types}. Lines that are none are read over.
     *
     * @param file has them
     * @return all types
     * @throws IOException if it cannot be read
     */
    public static MediaTypes read(Path file) throws IOException {
        Map<String, String> others = new HashMap<>();
        // The types are ASCII; the encoding of the comments is unknown.
        for (String line : new String(RegularFile.read(file, MAX_SIZE), StandardCharsets.ISO_8859_1).lines().toList()) {
            int comment = line.indexOf('#');
            String[] words = (comment < 0 ? line : line.substring(0, comment)).trim().split("[ \t]+");
            if (TYPE.matcher(words[0]).matches()) {
                for (int i = 1; i < words.length; i++) {
                    others.putIfAbsent(words[i].toLowerCase(Locale.ROOT), words[0]);
                }
            }
        }
        return new MediaTypes(others);
    }

    private static void add(String type, String... extensions) {
        for (String extension : extensions) {
            KNOWN.put(extension, type);
        }
    }

    /** Whether what is of this type becomes much smaller when it is compressed. */
    static boolean isCompressible(String type) {
        return type.startsWith("text/") || type.endsWith("json") || type.endsWith("xml") || COMPRESSIBLE.contains(type);
    }

    String of(String name) {
        int dot = name.lastIndexOf('.');
        // A dot in the name of a directory makes no extension.
        return dot <= name.lastIndexOf('/') ? UNKNOWN
                : types.getOrDefault(name.substring(dot + 1).toLowerCase(Locale.ROOT), UNKNOWN);
    }
}

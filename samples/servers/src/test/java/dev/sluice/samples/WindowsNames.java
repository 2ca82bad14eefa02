package dev.sluice.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** Names that Windows takes for something else than a file, all of which a file of Linux can have. */
public final class WindowsNames {

    /** The names. Some lead to {@code file.txt}, the directory {@code dir} or a page, if Windows is asked. */
    public static final List<String> ALL = List.of("nul", "NUL", "nul.txt", "nul.tar.gz", "nul .txt", "nul:", "CON",
            "con.html", "aux", "Aux.", "PRN", "prn.txt", "com1", "COM9.log", "com\u00b9", "COM\u00b2.txt", "lpt1",
            "LPT9", "lpt\u00b3.txt", "conin$", "CONOUT$.txt", "C:", "c:file.txt", "file.txt:stream", "file.txt::$DATA",
            "dir::$INDEX_ALLOCATION", "PROGRA~1", "INDEX~1.HTM", "LO3F2A~1.TXT", "LONG~ABC.HTM", "file.txt.",
            "file.txt..", "file.txt ", "file.txt. .", "dir.", "dir ", "...", ".. ", "*.txt", "fil?.txt", "file>txt",
            "<.txt", "\"file.txt", "file.txt|");

    private WindowsNames() {
    }

    /** {@return a name with each octet as a URL has it where it could mean something else} */
    public static String encoded(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : name.getBytes(UTF_8)) {
            encoded.append(Character.isLetterOrDigit(octet) ? String.valueOf((char) octet)
                    : String.format("%%%02x", octet & 0xFF));
        }
        return encoded.toString();
    }
}

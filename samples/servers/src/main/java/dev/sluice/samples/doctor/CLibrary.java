package dev.sluice.samples.doctor;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The C library that a process on Linux has mapped. Both of them can be run as programs, which print what library this
 * is, and so their files hold that text.
 */
enum CLibrary {

    GLIBC("glibc", "libc\\.so\\.6|libc-", "GNU C Library (", "[^\\n\\x00]* release version ([\\d.]*\\d)"),
    // The text has a place for the version, which is a string of its own further on.
    MUSL("musl", "ld-musl-", "musl libc (", "(?s).*?\\x00(\\d+\\.\\d+\\.\\d+)(?:-[^\\n\\x00]*)?\\x00");

    private static final Path MAPS = Path.of("/proc/self/maps");
    // The path ends each line of proc(5)'s maps. Musl may be called libc.so, but so may others.
    private static final Pattern CANDIDATE = Pattern.compile("/.*/((libc[-.]|ld-musl-)[^/\\n]*)$", Pattern.MULTILINE);

    private final String title;
    private final Pattern fileName;
    private final String introduction;
    private final Pattern version;

    CLibrary(String title, String fileName, String introduction, String version) {
        this.title = title;
        this.fileName = Pattern.compile(fileName);
        this.introduction = introduction;
        this.version = Pattern.compile(version);
    }

    /** {@return the one of this process, with its version if that is known; empty if it is unknown} */
    static Optional<String> current() {
        return of(MAPS);
    }

    static Optional<String> of(Path maps) {
        return CANDIDATE.matcher(read(maps.toString(), StandardCharsets.UTF_8)).results()
                .flatMap(candidate -> describe(candidate.group(), candidate.group(1)).stream()).findFirst();
    }

    private static Optional<String> describe(String file, String name) {
        String content = read(file, StandardCharsets.ISO_8859_1);
        for (CLibrary library : values()) {
            int begin = content.indexOf(library.introduction);
            if (begin >= 0) {
                Matcher rest = library.version.matcher(content).region(begin, content.length());
                return Optional.of(rest.lookingAt() ? library.title + " " + rest.group(1) : library.title);
            }
        }
        // An update may have replaced it since the process began.
        for (CLibrary library : values()) {
            if (library.fileName.matcher(name).lookingAt()) {
                return Optional.of(library.title);
            }
        }
        return Optional.empty();
    }

    /** {@return the content of a file; empty if it cannot be read} */
    private static String read(String file, Charset charset) {
        try {
            return new String(Files.readAllBytes(Path.of(file)), charset);
        } catch (IOException | InvalidPathException e) {
            return "";
        }
    }
}

package dev.sluice.samples.doctor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of mappings and libraries such as other systems have. */
class CLibraryTest {

    private static final String NONE = """
            00400000-00401000 r--p 00000000 fe:00 1050   /opt/libc.so.6/bin/java
            7f0000000000-7f0000001000 rw-p 00000000 00:00 0
            7f0000001000-7f0000002000 r--p 00000000 fe:00 1051   /opt/java/lib/libjava.so
            7f0000002000-7f0000003000 r--p 00000000 fe:00 1052   /usr/lib/libcrypt.so.1
            7f0000003000-7f0000004000 r-xp 00000000 00:00 0   [vdso]
            """;

    @TempDir
    private Path directory;

    /** ^ stands for a zero octet, ~ for the end of a line. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            libc.so.6           | GNU C Library (Ubuntu GLIBC 2.35-0ubuntu3) stable release version 2.35.~ | glibc 2.35
            libc-2.31.so        | GNU C Library (Debian GLIBC 2.31-13) stable release version 2.31.~By | glibc 2.31
            libc.so.6           | GNU C Library (GNU libc) development release version 2.38.9000.~ | glibc 2.38.9000
            libc.so.6           | GNU C Library (GNU libc) of no version^release version 1.0       | glibc
            ld-musl-x86_64.so.1 | musl libc (x86_64)~Version %s~^%d.%d.%d^127.0.0.1^1.2.5^2.0.0 | musl 1.2.5
            libc.so             | musl libc (aarch64)~Version %s~^1.1.24-git-20-gd1395c43^         | musl 1.1.24
            libc.so             | musl libc (aarch64)~Version %s~^127.0.0.1                        | musl
            libc.so             | of some other system                                             |
            """)
    void isWhatTheMappedLibrarySaysOfItself(String name, String content, String expected) throws Exception {
        Path library = directory.resolve(name);
        String octets = "\177ELF^GNU C Library^1.0.0^" + content + "^";
        Files.writeString(library, octets.replace('^', '\0').replace('~', '\n'), ISO_8859_1);
        assertEquals(Optional.ofNullable(expected), CLibrary.of(maps(library.toString())));
    }

    @ParameterizedTest
    @CsvSource({"libc.so.6, glibc", "libc.so.6 (deleted), glibc", "libc-2.31.so, glibc",
            "ld-musl-aarch64.so.1, musl", "libc.so,"})
    void goesByItsNameIfItCannotBeRead(String name, String expected) throws Exception {
        assertEquals(Optional.ofNullable(expected), CLibrary.of(maps(directory + "/missing/" + name)));
    }

    @Test
    void mayBeUnknown() throws Exception {
        assertEquals(Optional.empty(), CLibrary.of(directory.resolve("missing")));
        assertEquals(Optional.empty(), CLibrary.of(directory));
        assertEquals(Optional.empty(), CLibrary.of(Files.writeString(directory.resolve("maps"), NONE)));
    }

    private Path maps(String library) throws IOException {
        return Files.writeString(directory.resolve("maps"), NONE
                + "7f0000005000-7f0000006000 r--p 00000000 fe:00 1060                       " + library + "\n"
                + "7f0000006000-7f0000007000 rw-p 00000000 00:00 0\n");
    }
}

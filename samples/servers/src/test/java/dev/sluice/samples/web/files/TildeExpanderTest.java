package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found below {@code /~login}, of users in a file that changes. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no file of users and homes")
class TildeExpanderTest {

    private static final long TIMEOUT = Duration.ofSeconds(30).toNanos();

    @TempDir
    Path base;

    private Path root;
    private Path passwd;
    private Path home;
    private CachedFileSystem files;

    @BeforeEach
    void layOut() throws IOException {
        root = Files.createDirectory(base.resolve("root"));
        Files.writeString(root.resolve("page"), "of the root");
        passwd = base.resolve("passwd");
        home = home("ada");
        users(line("ada", 1000, home));
        files = files(Duration.ZERO);
    }

    @AfterEach
    void close() {
        files.close();
    }

    private Path home(String login) throws IOException {
        Path made = base.resolve("home-of-" + login);
        Path pages = Files.createDirectories(made.resolve("public_html/below"));
        Files.writeString(pages.resolve("page"), "below " + login);
        Files.writeString(made.resolve("public_html/index.html"), "of " + login);
        Files.writeString(made.resolve("secret"), "secret");
        return made;
    }

    private static String line(String login, int number, Object home) {
        return login + ":x:" + number + ":100:A name, a room:" + home + ":/bin/sh";
    }

    /** As vipw(8) and usermod(8) do: another file gets the name. */
    private void users(String... lines) throws IOException {
        Path edited = Files.write(base.resolve("edited"), List.of(lines));
        Files.move(edited, passwd, StandardCopyOption.REPLACE_EXISTING);
    }

    private CachedFileSystem files(Duration interval) throws IOException {
        return new CachedFileSystem(new DocumentRoot(root).expanding(new TildeExpander(passwd)),
                FileOptions.of(CacheStrategy.LRU, 10, interval));
    }

    private void assertText(String expected, String path) throws IOException {
        assertEquals(expected, Scenery.text(files, path), path);
    }

    private void assertAbsent(String path) throws IOException {
        assertEquals(NoFile.ABSENT, files.lookup(path), path);
    }

    @Test
    void leadsToThePublicDirectoryOfAUser() throws IOException {
        assertText("of ada", "/~ada/");
        assertText("of ada", "/~ada/index.html");
        assertText("below ada", "/~ada/below/page");
        assertEquals(NoFile.DIRECTORY, files.lookup("/~ada"));
        assertEquals(NoFile.WITHOUT_INDEX, files.lookup("/~ada/below/"));
        assertEquals(List.of("below", "index.html"),
                files.list("/~ada/").stream().map(DirectoryEntry::name).toList());
        assertText("of the root", "/page");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/~", "/~/", "/~/page", "/~bob/", "/~ada/absent", "/~ada/../secret", "/~adam", "/~ada:x/",
            "/below/~ada/"})
    void nothingElseIsThere(String path) throws IOException {
        assertAbsent(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eve:x:1001:100::relative:/bin/sh", "eve:x:1001:100:/bin/sh", "eve", "::::::",
            "+:::::/:", "# eve:x:1001:100::/:/bin/sh", "eve:x:0:0::%s:/bin/sh"})
    void aLineThatIsNoOrdinaryUserIsIgnored(String line) throws IOException {
        users(String.format(line, home("eve")), line("ada", 1000, home));
        assertAbsent("/~eve/");
        assertAbsent("/~+/");
        assertText("of ada", "/~ada/");
    }

    @Test
    void namesOfTheRootDoNotStandForUsers() throws IOException {
        Files.createDirectory(root.resolve("~bob"));
        Files.writeString(root.resolve("~bob/page"), "in the root");
        Files.writeString(root.resolve("~ada"), "in the root");
        assertAbsent("/~bob/page");
        assertEquals(List.of("page"), files.list("/").stream().map(DirectoryEntry::name).toList());
        try (CachedFileSystem off = new CachedFileSystem(new DocumentRoot(root),
                FileOptions.of(CacheStrategy.LRU, 10, Duration.ZERO))) {
            assertEquals("in the root", Scenery.text(off, "/~bob/page"));
            assertEquals(NoFile.ABSENT, off.lookup("/~ada/index.html"));
        }
    }

    @Test
    void usersThatChangeAreSeenAtOnce() throws IOException {
        assertText("of ada", "/~ada/");
        assertAbsent("/~bob/");
        users(line("ada", 1000, home), line("bob", 1001, home("bob")));
        assertText("of bob", "/~bob/");
        users(line("ada", 1000, base.resolve("home-of-bob")));
        assertText("of bob", "/~ada/");
        assertAbsent("/~bob/");
    }

    @Test
    void withoutTheFileTheUsersStay() throws IOException {
        Files.delete(passwd);
        assertText("of ada", "/~ada/");
        Files.createDirectory(passwd);
        assertText("of ada", "/~ada/");
        Files.delete(passwd);
        users(line("bob", 1001, home("bob")));
        assertAbsent("/~ada/");
        assertText("of bob", "/~bob/");
        assertThrows(NoSuchFileException.class, () -> new TildeExpander(base.resolve("absent")));
    }

    @Test
    void linksDoNotLeadOutOfThePublicDirectory() throws IOException {
        Path pages = home.resolve("public_html");
        Files.createSymbolicLink(pages.resolve("inside"), Path.of("below/page"));
        Files.createSymbolicLink(pages.resolve("absolute"), pages.toRealPath().resolve("below"));
        Files.createSymbolicLink(pages.resolve("secret"), Path.of("../secret"));
        Files.createSymbolicLink(pages.resolve("up"), Path.of(".."));
        Files.createSymbolicLink(pages.resolve("other"), root.toRealPath());
        assertText("below ada", "/~ada/inside");
        assertText("below ada", "/~ada/absolute/page");
        assertAbsent("/~ada/secret");
        assertAbsent("/~ada/up/secret");
        assertAbsent("/~ada/other/page");
        Files.createSymbolicLink(root.resolve("user"), pages.toRealPath());
        assertAbsent("/user/index.html");
    }

    @Test
    void aPublicDirectoryThatIsALinkIsNone() throws IOException {
        Path pages = home.resolve("public_html");
        assertText("of ada", "/~ada/");
        Files.move(pages, home.resolve("aside"));
        for (Path target : List.of(Path.of("aside"), Path.of("."), root.toRealPath())) {
            Files.createSymbolicLink(pages, target);
            assertAbsent("/~ada/");
            assertAbsent("/~ada/index.html");
            assertAbsent("/~ada/secret");
            assertAbsent("/~ada/page");
            assertTrue(files.list("/~ada/").isEmpty());
            Files.delete(pages);
        }
        Files.move(home.resolve("aside"), pages);
        assertText("of ada", "/~ada/");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatIsWatchedIsDroppedAtOnce() throws IOException {
        try (CachedFileSystem watching = files(Duration.ofHours(1))) {
            watching.watch(100);
            Path pages = home.resolve("public_html");
            assertEquals("of ada", Scenery.text(watching, "/~ada/"));
            Files.writeString(pages.resolve("index.html"), "another of ada");
            awaitText(watching, "/~ada/", "another of ada");
            assertEquals("below ada", Scenery.text(watching, "/~ada/below/page"));
            Files.writeString(pages.resolve("below/page"), "another below ada");
            awaitText(watching, "/~ada/below/page", "another below ada");
            // By now all changes of the first file have been reported; what is kept of it from here on is not checked.
            assertEquals("another of ada", Scenery.text(watching, "/~ada/"));
            assertEquals("another of ada", Scenery.text(watching, "/~ada/"));
            Files.move(pages, home.resolve("aside"));
            Files.createDirectory(pages);
            Files.writeString(pages.resolve("index.html"), "a third");
            awaitText(watching, "/~ada/", "a third");
        }
    }

    private static void awaitText(CachedFileSystem watching, String path, String expected) throws IOException {
        long end = System.nanoTime() + TIMEOUT;
        String found = null;
        while (!expected.equals(found)) {
            assertFalse(System.nanoTime() > end, "still " + found);
            found = watching.lookup(path) instanceof FileEntry entry ? textAndRelease(entry) : null;
            Thread.onSpinWait();
        }
    }

    private static String textAndRelease(FileEntry entry) throws IOException {
        String text = Scenery.text(entry);
        entry.release();
        return text;
    }
}

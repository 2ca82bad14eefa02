package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Platform;
import dev.sluice.samples.SwappedFolder;
import dev.sluice.samples.WindowsNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentRootTest {

    @TempDir
    Path directory;

    private Path root;
    private CachedFileSystem files;

    @BeforeEach
    void layOut() throws IOException {
        Files.createDirectories(directory.resolve("root-beside"));
        Files.writeString(directory.resolve("root-beside/secret"), "secret");
        Files.writeString(directory.resolve("secret"), "secret");
        root = Files.createDirectories(directory.resolve("root"));
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/file.txt"), "inside");
        link("leaves-file", "../secret");
        link("leaves-directory", "..");
        link("leaves-beside", "../root-beside");
        link("leaves-absolutely", directory.resolve("secret").toString());
        link("a/leaves-in-two-steps", "../leaves-directory/secret");
        link("root", "/");
        link("proc", "/proc/self/root");
        link("loop", "loop");
        link("dangling", "nothing");
        link("stays", "a/file.txt");
        link("stays-by-a-detour", "../root/a/../a/file.txt");
        link("directory-stays", "a");
        files = new CachedFileSystem(new DocumentRoot(root),
                FileOptions.of(CacheStrategy.LRU, 10, Duration.ofHours(1)));
    }

    private static CachedFileSystem uncached(Path root) throws IOException {
        return new CachedFileSystem(new DocumentRoot(root), FileOptions.of(CacheStrategy.NONE, 1, Duration.ZERO));
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(root.resolve(name), Path.of(target));
    }

    @AfterEach
    void close() {
        files.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/leaves-file", "/leaves-directory", "/leaves-directory/", "/leaves-directory/secret",
        "/leaves-directory/root/a/file.txt/..", "/leaves-beside/secret", "/leaves-absolutely", "/a/leaves-in-two-steps",
        "/root", "/root/etc/passwd", "/root/", "/proc/etc/passwd", "/loop", "/dangling", "/none", "/a/file.txt/",
        "/a/file.txt/x", "/../secret", "/a/../../secret", "//etc/passwd"})
    void nothingThere(String path) throws IOException {
        assertSame(NoFile.ABSENT, files.lookup(path), path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/", "/"})
    void directoriesWithoutAnIndexPage(String path) throws IOException {
        assertSame(NoFile.WITHOUT_INDEX, files.lookup(path), path);
    }

    @Test
    void namesThatNoFileCanHave() throws IOException {
        for (String path : List.of("/" + "x".repeat(300), "/" + "x/".repeat(5000), "/\0", "/a\0b", "/\ud83d\udc0b")) {
            assertSame(NoFile.ABSENT, files.lookup(path), path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a//file.txt", "/a/file.txt//", "//a/file.txt", "/./a/file.txt", "/a/./file.txt",
        "/a/.", "/a/b/../file.txt", "/a/b/..", "/back\\slash", "/control\u0001", "/c1\u0085"})
    void refusesWhatIsNoNameOnAnySystem(String path) throws IOException {
        for (String name : List.of("back\\slash", "control\u0001", "c1\u0085")) {
            Files.writeString(root.resolve(name), "inside");
        }
        DocumentRoot documents = new DocumentRoot(root);
        assertNull(documents.find(path), path);
        assertNull(documents.below(path), path);
    }

    @Test
    void refusesNamesThatOnlyWindowsTakesForOthers() throws IOException {
        DocumentRoot windows = new DocumentRoot(root, Platform.Os.WINDOWS);
        assertNotNull(windows.find("/a/file.txt"));
        for (String name : WindowsNames.ALL) {
            Files.createDirectories(root.resolve(name).resolve("sub"));
            for (String path : List.of("/" + name, "/" + name + "/", "/" + name + "/sub", "/a/../" + name)) {
                assertNull(windows.find(path), path);
                assertNull(windows.below(path), path);
            }
            for (Platform.Os os : Platform.Os.values()) {
                assertEquals(os == Platform.Os.WINDOWS, new DocumentRoot(root, os).find("/" + name) == null, name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/file.txt", "/stays", "/stays-by-a-detour", "/directory-stays/file.txt",
        "/leaves-directory/root/a/file.txt"})
    void whatLiesInside(String path) throws IOException {
        assertEquals("inside", Scenery.text(files, path));
    }

    @ParameterizedTest
    @CsvSource({"/a", "/a/b", "/directory-stays"})
    void directories(String path) throws IOException {
        assertSame(NoFile.DIRECTORY, files.lookup(path));
    }

    @Test
    void specialFilesAreNotEvenOpened() throws Exception {
        assertEquals(0, new ProcessBuilder("mkfifo", root.resolve("fifo").toString()).start().waitFor());
        link("device", "/dev/zero");
        Files.createDirectories(root.resolve("c"));
        assertEquals(0, new ProcessBuilder("mkfifo", root.resolve("c/index.html").toString()).start().waitFor());
        for (String path : List.of("/fifo", "/device", "/c/")) {
            assertTimeoutPreemptively(Duration.ofSeconds(30), () -> assertSame(NoFile.ABSENT, files.lookup(path)),
                    path);
        }
    }

    @Test
    void aFileThatMayNotBeReadIsNotThere() throws IOException {
        Path locked = Files.writeString(root.resolve("locked"), "x");
        locked.toFile().setReadable(false, false);
        // The superuser can read it nevertheless.
        if (!Files.isReadable(locked)) {
            assertSame(NoFile.ABSENT, files.lookup("/locked"));
        }
    }

    @Test
    void theRootMayItselfBeBehindALink() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), root);
        try (CachedFileSystem linked = uncached(link)) {
            assertEquals("inside", Scenery.text(linked, "/a/file.txt"));
            assertSame(NoFile.ABSENT, linked.lookup("/leaves-file"));
        }
    }

    @Test
    void aRootHasToBeADirectory() {
        assertThrows(NotDirectoryException.class, () -> new DocumentRoot(root.resolve("a/file.txt")));
        assertThrows(IOException.class, () -> new DocumentRoot(root.resolve("none")));
    }

    @Test
    void aLinkThatKeepsTurningNeverLeadsOutside() throws Exception {
        Path inside = Files.createDirectories(root.resolve("inside"));
        Files.writeString(inside.resolve("secret"), "harmless");
        AtomicBoolean done = new AtomicBoolean();
        FutureTask<Void> turning = new FutureTask<>(() -> {
            for (int i = 0; !done.get(); i++) {
                Path fresh = Files.createSymbolicLink(root.resolve("fresh"), Path.of(i % 2 == 0 ? "inside" : ".."));
                Files.move(fresh, root.resolve("turning"), StandardCopyOption.ATOMIC_MOVE);
            }
            return null;
        });
        new Thread(turning).start();
        int found = 0;
        int absent = 0;
        try (CachedFileSystem none = uncached(root)) {
            long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while ((found < 100 || absent < 100) && System.nanoTime() < end && !turning.isDone()) {
                Resource resource = none.lookup("/turning/secret");
                if (resource instanceof FileEntry entry) {
                    assertEquals("harmless", Scenery.text(entry));
                    entry.release();
                    found++;
                } else {
                    absent++;
                }
            }
        } finally {
            done.set(true);
            turning.get();
        }
        assertTrue(found >= 100 && absent >= 100, found + " found, " + absent + " absent");
    }

    /** What is found, opened, listed, watched or replaced is in the folder, or nothing is. */
    @Test
    void aFolderThatIsSwappedForALinkNeverLeadsOutside() throws Exception {
        DocumentRoot documents = new DocumentRoot(root);
        WritableDirectory writable = new WritableDirectory(documents, "/");
        String path = "/" + SwappedFolder.NAME + "/";
        try (CachedFileSystem none = uncached(root);
                SwappedFolder folder = new SwappedFolder(root, directory.resolve("outside"))) {
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            int found = 0;
            int absent = 0;
            for (int i = 0; (found < 300 || absent < 300) && System.nanoTime() < end && !folder.hasEnded(); i++) {
                Resource resource = none.lookup(path + SwappedFolder.FILE);
                if (resource instanceof FileEntry entry) {
                    assertEquals(SwappedFolder.INSIDE, Scenery.text(entry));
                    entry.release();
                    found++;
                } else {
                    absent++;
                }
                assertTrue(none.list(path).stream().noneMatch(
                        entry -> entry.name().equals(SwappedFolder.OUTSIDE_ALONE)));
                try (Upload upload = writable.upload(path + "new")) {
                    if (upload != null) {
                        upload.begin();
                        // The disk takes its time.
                        if (i % 10 == 0) {
                            upload.replace();
                        }
                    }
                }
            }
            assertTrue(found >= 300 && absent >= 300, found + " found, " + absent + " absent");
            assertEquals(List.of(), folder.strangers());
        }
        try (Stream<Path> all = Files.list(root.resolve("aside"))) {
            assertEquals(List.of(SwappedFolder.FILE, "new"), all.map(each -> each.getFileName().toString()).sorted()
                    .toList());
        }
    }

    @Test
    void aReplacementStaysInTheDirectoryThatWasFound() throws Exception {
        try (Upload upload = new WritableDirectory(new DocumentRoot(root), "/a").upload("/a/b/new")) {
            upload.begin();
            Files.move(root.resolve("a/b"), root.resolve("a/c"));
            link("a/b", "../../root-beside");
            upload.force();
            assertFalse(upload.replace());
        }
        Files.delete(root.resolve("a/b"));
        Files.move(root.resolve("a/c"), root.resolve("a/b"));
        assertTrue(Files.exists(root.resolve("a/b/new")));
        try (Upload given = new WritableDirectory(new DocumentRoot(root), "/a").upload("/a/b/other")) {
            given.begin();
            Files.move(root.resolve("a/b"), root.resolve("a/c"));
            link("a/b", "../../root-beside");
        }
        try (Stream<Path> left = Files.list(root.resolve("a/c")); Stream<Path> beside =
                Files.list(directory.resolve("root-beside"))) {
            assertEquals(List.of("new"), left.map(each -> each.getFileName().toString()).toList());
            assertEquals(List.of("secret"), beside.map(each -> each.getFileName().toString()).toList());
        }
    }
}
